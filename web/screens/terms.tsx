import { legalTitles, termsSections } from '#web/messages/en/legal.ts'
import { LegalText } from './legal-text.tsx'

export function TermsScreen() {
  return <LegalText heading={legalTitles.terms} sectionsOf={termsSections} />
}
