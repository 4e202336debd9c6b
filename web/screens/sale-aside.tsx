import { Suspense } from 'react'
import { useProject } from '#web/features/project/queries.ts'
import { useStages } from '#web/features/stage/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

/** The form does not wait for it: until its code is there it stands as the server sent it. */
export const SalePanel = lazyComponent(
  async () => (await import('#web/features/offer/sale-panel.tsx')).SalePanel,
)

/** Where the sale stands, for beside a form; nothing while that is not known. */
export function SaleAside() {
  const project = useProject()
  const stages = useStages().data
  if (project === undefined || stages === undefined) return null
  return (
    <Suspense fallback={null}>
      <SalePanel project={project} stages={stages} />
    </Suspense>
  )
}
