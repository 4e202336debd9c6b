import { useLegalTexts } from '#web/messages/en/legal.ts'
import { useMessages } from '#web/messages/en.ts'
import { LegalText } from './legal-text.tsx'

export function TermsScreen() {
  const { layout } = useMessages()
  const { termsSections } = useLegalTexts()
  return <LegalText heading={layout.terms} sectionsOf={termsSections} />
}
