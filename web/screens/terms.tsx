import { useProject } from '#web/features/project/queries.ts'
import { legalTitles, termsSections } from '#web/messages/en/legal.ts'
import { LegalText } from './legal-text.tsx'

export function TermsScreen() {
  const project = useProject()
  const sections = project && termsSections({ project: project.name, site: project.frontend_url })
  return <LegalText heading={legalTitles.terms} sections={sections} />
}
