import { useLegalTexts } from '#web/messages/use-legal-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { LegalText } from './legal-text.tsx'

export function PrivacyPolicyScreen() {
  const { layout } = useMessages()
  const { privacySections } = useLegalTexts()
  return <LegalText heading={layout.privacyPolicy} sectionsOf={privacySections} />
}
