import { consoleContract, type InboxItem } from '#contract/operator/console.ts'
import { closedByHand, type ClosedByHand } from '#domain/operators/inbox.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'

/** Null where something else ends it, as the end of its purchase does for a lost payment. */
export function kindClosedByHand({
  kind,
  purchase_id: purchaseId,
}: InboxItem): ClosedByHand | null {
  if (kind === 'lost_payment' && purchaseId !== null) return null
  return closedByHand.find((each) => each === kind) ?? null
}

/** Puts an item away, with a reason. */
export function CloseDialog({ item, onClose }: { item: InboxItem; onClose: () => void }) {
  const { id, title } = item
  const kind = kindClosedByHand(item)
  if (kind === null) return null
  return (
    <ActDialog
      title="Put this away"
      confirm="Put away"
      asksReason
      done="It is put away."
      endpoint={consoleContract.closeInboxItem}
      input={(reason) => ({ body: { kind, id, reason } })}
      onClose={onClose}
    >
      <p>{title}. It leaves the inbox for good, and your reason is kept in the audit log.</p>
    </ActDialog>
  )
}
