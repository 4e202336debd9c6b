import type { Project } from '#contract/shapes.ts'

/** What can be lost, in one sentence, with the way to the whole; nothing where the sale says none. */
export function RiskLine({ project }: { project: Project }) {
  return project.risk === null ? null : (
    <p className="text-14 text-quiet">{project.risk.statement}</p>
  )
}
