import type { Project } from '#contract/shapes.ts'
import { useSaleText } from '#web/messages/sale-text.ts'

/** What can be lost: the statement, and every point behind it. Nothing if the sale has none. */
export function Risks({ project }: { project: Project }) {
  const saleText = useSaleText(project)
  if (project.risk === null) return null
  return (
    <div className="flex max-w-[65ch] flex-col gap-4">
      <p className="font-display text-25 font-strong text-balance">
        {saleText(project.risk.statement)}
      </p>
      <ul className="flex list-disc flex-col gap-2 pl-5 text-quiet">
        {project.risk.summary.map((point) => (
          <li key={point}>{saleText(point)}</li>
        ))}
      </ul>
    </div>
  )
}
