import { consoleContract, type InboxItem } from '#contract/operator/console.ts'
import { closedByHand, type ClosedByHand } from '#domain/operators/inbox.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'

export const isClosedByHand = (kind: InboxItem['kind']): kind is ClosedByHand =>
  (closedByHand as readonly InboxItem['kind'][]).includes(kind)

/** Puts an item away, with a reason. */
export function CloseDialog({ item, onClose }: { item: InboxItem; onClose: () => void }) {
  const { kind, id, title } = item
  if (!isClosedByHand(kind)) return null
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
