import { CircleDollarSign, Link } from 'lucide-react'
import type { SaleChange } from '#contract/operator/sale-files.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { List, ListRow } from '#web/ui/layout/card.tsx'

/** `1 change`, for headings and sentences. */
export function countChanges(changes: readonly SaleChange[]): string {
  if (changes.length === 0) return 'no change'
  return changes.length === 1 ? '1 change' : `${changes.length} changes`
}

/** What a sale file changes, field by field, marking what may change money or links. */
export function Changes({ changes }: { changes: readonly SaleChange[] }) {
  if (changes.length === 0) {
    return <p className="text-14 text-quiet">The sale file changes nothing.</p>
  }
  return (
    <List label="Changes">
      {changes.map((change) => (
        <ListRow
          key={`${change.part} ${change.field ?? ''}`}
          className="grid gap-x-6 gap-y-1 text-14 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
        >
          <div className="flex min-w-0 flex-wrap items-start gap-2">
            <span className="min-w-0 wrap-anywhere">
              <span className="font-strong">{change.part}</span>
              {change.field !== null && <span className="block text-quiet">{change.field}</span>}
            </span>
            {change.concerns === 'money' && (
              <Chip tone="warning" icon={<CircleDollarSign size={16} />}>
                Changes money
              </Chip>
            )}
            {change.concerns === 'links' && (
              <Chip tone="warning" icon={<Link size={16} />}>
                Changes a link
              </Chip>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-1">
            {change.before !== null && (
              <del className="wrap-anywhere text-error">
                <span className="sr-only">Before: </span>
                {change.before}
              </del>
            )}
            {change.after !== null && (
              <ins className="wrap-anywhere text-success no-underline">
                <span className="sr-only">After: </span>
                {change.after}
              </ins>
            )}
          </div>
        </ListRow>
      ))}
    </List>
  )
}
