import { legalTitles, privacySections } from '#web/messages/en/legal.ts'
import { LegalText } from './legal-text.tsx'

export function PrivacyPolicyScreen() {
  return <LegalText heading={legalTitles.privacyPolicy} sectionsOf={privacySections} />
}
