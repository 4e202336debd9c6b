import type { Project } from '#contract/shapes.ts'

interface ReleasePlanProps {
  project: Project
  /** Whose release is drawn; in whole tokens. */
  tokens: number
}

/** When a buyer's own tokens are released, as a chart and a table. Nothing without a plan. */
export function ReleasePlan({ project, tokens }: ReleasePlanProps) {
  return project.vesting === null ? null : <div data-tokens={tokens} />
}

/** The plan in one line, such as 'Released over 5 months after launch, 1% first'. */
export function ReleaseLine({ project }: { project: Project }) {
  return project.vesting === null ? null : <span>{project.vesting.months}</span>
}
