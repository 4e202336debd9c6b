import { Suspense } from 'react'
import { useProject } from '#web/features/project/queries.ts'
import { useStages } from '#web/features/stage/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

/** The form does not wait for it: until its code is loaded it stays as the server sent it. */
export const SalePanel = lazyComponent(
  () => import('#web/features/offer/sale-panel.tsx'),
  'SalePanel',
)

/** The state of the sale, for beside a form; nothing until that is known. */
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
