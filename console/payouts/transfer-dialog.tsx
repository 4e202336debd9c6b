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

const ofTransfer = {
  dismiss: {
    title: 'Put this transfer away',
    confirm: 'Put away',
    done: 'It is put away.',
    endpoint: foreignTransfersContract.dismissForeignTransfer,
    what: 'Nothing is owed for it. It leaves the list, with your reason.',
  },
  owe: {
    title: 'Take this transfer up as a debt?',
    confirm: 'Take it up',
    done: 'It is owed back, and listed under Owed.',
    endpoint: foreignTransfersContract.oweForeignTransfer,
    what:
      'It is a refund from then on, for good, and the buyer is told. Do this only if the token is ' +
      'worth something and you can send it back.',
  },
} as const

export function TransferDialog({ open, onClose }: { open: TransferAct; onClose: () => void }) {
  if (open.act !== 'dismissToken') {
    const { what, ...act } = ofTransfer[open.act]
    return (
      <ActDialog
        {...act}
        asksReason
        input={(reason) => ({ params: { id: open.transfer.id }, body: { reason } })}
        onClose={onClose}
      >
        <p>{what}</p>
      </ActDialog>
    )
  }
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
