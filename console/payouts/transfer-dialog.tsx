import type { ResultOf } from '#contract/endpoint.ts'
import {
  type ForeignTransfer,
  foreignTransfersContract,
} from '#contract/operator/foreign-transfers.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'

/** What is open of one token. */
export type TokenSum = ResultOf<
  typeof foreignTransfersContract.listForeignTransfers
>['sums'][number]

/** What is about to be decided, of a transfer or of all transfers of a token. */
export type TransferAct =
  | { act: 'dismiss' | 'owe'; transfer: ForeignTransfer }
  | { act: 'dismissToken'; sum: TokenSum }

interface TransferDialogProps {
  open: TransferAct
  onClose: () => void
}

export function TransferDialog({ open, onClose }: TransferDialogProps) {
  if (open.act === 'dismissToken') {
    const { chain, asset, count } = open.sum
    return (
      <ActDialog
        title={count === 1 ? 'Put one transfer away' : `Put ${count} transfers away`}
        confirm="Put away"
        asksReason
        done="They are put away."
        endpoint={foreignTransfersContract.dismissForeignToken}
        input={(reason) => ({ body: { chain, asset, reason } })}
        onClose={onClose}
      >
        <p>
          All open transfers of this token leave the list, with your reason. Later ones are listed
          again.
        </p>
      </ActDialog>
    )
  }
  const { id } = open.transfer
  if (open.act === 'owe') {
    return (
      <ActDialog
        title="Take this transfer up as a debt?"
        confirm="Take it up"
        asksReason
        done="It is owed back, and listed under Owed."
        endpoint={foreignTransfersContract.oweForeignTransfer}
        input={(reason) => ({ params: { id }, body: { reason } })}
        onClose={onClose}
      >
        <p>
          It is a refund from then on, for good, and the buyer is told. Do this only if the token is
          worth something and you can send it back.
        </p>
      </ActDialog>
    )
  }
  return (
    <ActDialog
      title="Put this transfer away"
      confirm="Put away"
      asksReason
      done="It is put away."
      endpoint={foreignTransfersContract.dismissForeignTransfer}
      input={(reason) => ({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      <p>Nothing is owed for it. It leaves the list, with your reason.</p>
    </ActDialog>
  )
}
