import { useLegalTexts } from '#web/messages/en/legal.ts'
import { useMessages } from '#web/messages/en.ts'
import { LegalText } from './legal-text.tsx'

export function PrivacyPolicyScreen() {
  const { layout } = useMessages()
  const { privacySections } = useLegalTexts()
  return <LegalText heading={layout.privacyPolicy} sectionsOf={privacySections} />
}
