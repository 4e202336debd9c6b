import { useProject } from '#web/features/project/queries.ts'
import { legalTitles, privacySections } from '#web/messages/en/legal.ts'
import { LegalText } from './legal-text.tsx'

export function PrivacyPolicyScreen() {
  const project = useProject()
  const sections = project && privacySections({ project: project.name, site: project.frontend_url })
  return <LegalText heading={legalTitles.privacyPolicy} sections={sections} />
}
