import { SalePanel } from '#web/features/offer/sale-panel.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { useStages } from '#web/features/stage/queries.ts'

/** Where the sale stands, for beside a form; nothing while that is not known. */
export function SaleAside() {
  const project = useProject()
  const stages = useStages().data
  if (project === undefined || stages === undefined) return null
  return <SalePanel project={project} stages={stages} />
}
