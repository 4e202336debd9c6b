import { useLegalTexts } from '#web/messages/use-legal-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { LegalText } from './legal-text.tsx'

export function TermsScreen() {
  const { layout } = useMessages()
  const { termsSections } = useLegalTexts()
  return <LegalText heading={layout.terms} sectionsOf={termsSections} />
}
