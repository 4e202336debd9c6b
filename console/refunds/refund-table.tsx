import { useState, type ReactNode } from 'react'
import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorRefund } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { EndedMarkBanner, EndedMarkLine } from '#console/approvals/ended-mark.tsx'
import { AskedLink } from '#console/approvals/waiting.tsx'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Email, Linked, Time } from '#console/kit/values.tsx'
import { assetName, Coins, PurchaseNumber, Transaction } from '#console/purchases/amounts.tsx'
import { useMay } from '#console/session/self.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

export const reasons: Record<OperatorRefund['reason'], string> = {
  underpaid: 'Underpaid',
  overpaid: 'Overpaid',
  late: 'Paid late',
  wrong_asset: 'Paid in another coin',
  withdrawn: 'Withdrawn by the buyer',
  soft_cap: 'The sale missed its soft cap',
  failed: 'Purchase failed',
}

interface RefundTableProps {
  refunds: readonly OperatorRefund[]
  /** True if all belong to the purchase on whose page they are shown. */
  isOfOne?: boolean
  /** Shown if there are none. */
  empty?: ReactNode
}

/** Refunds, with a button to mark open ones as paid for people who may do that. */
export function RefundTable({ refunds, isOfOne = false, empty }: RefundTableProps) {
  const mayPay = useMay('refunds.pay')
  const [paying, setPaying] = useState<OperatorRefund | null>(null)
  const columns = [
    ...(isOfOne ? [] : purchaseColumns),
    ...refundColumns,
    stateColumn(mayPay ? setPaying : null),
  ]
  const current = refunds.find((each) => each.receipt_id === paying?.receipt_id && isToPay(each))
  const isOwed = current !== undefined && current.amount === paying?.amount
  return (
    <>
      {refunds.length === 0 ? (
        empty
      ) : (
        <Table
          label="Refunds"
          columns={columns}
          rows={refunds}
          // Of one receipt, a part may be promised, another owed, and others paid, by one hash too.
          keyOf={({ receipt_id, state, paid_date }) => `${receipt_id} ${state} ${paid_date}`}
          hrefOf={isOfOne ? undefined : ({ purchase_id }) => `/purchases/${purchase_id}`}
        />
      )}
      {paying !== null && (
        <PayDialog
          refund={isOwed ? current : paying}
          isOwed={isOwed}
          onClose={() => setPaying(null)}
        />
      )}
    </>
  )
}

const refundColumns: Column<OperatorRefund>[] = [
  {
    header: 'Owed since',
    cell: ({ since_date, reason }) => (
      <span className="flex flex-col">
        <Time value={since_date} />
        <span className="text-quiet">{reasons[reason]}</span>
      </span>
    ),
  },
  { header: 'Amount', isNumber: true, cell: (refund) => <Coins {...refund} /> },
]

/**
 * What is claimed is paid by its claim, what waits for a second person was paid already, and what
 * is held may never be paid.
 */
const isToPay = (refund: OperatorRefund) =>
  refund.state === 'open' &&
  refund.claim_id === null &&
  refund.asked_acts.length === 0 &&
  !refund.is_held

/** The state, and what to do about it: `onPay` is null for people who may not pay. */
const stateColumn = (onPay: ((refund: OperatorRefund) => void) | null): Column<OperatorRefund> => ({
  header: 'State',
  cell: (refund) =>
    onPay !== null && isToPay(refund) ? (
      <span className="flex flex-wrap items-center gap-2 max-md:justify-end">
        <RefundState refund={refund} />
        <SmallButton
          aria-haspopup="dialog"
          aria-label={`Mark as paid: ${refund.amount} ${assetName(refund.payment_token)}, ${purchaseNumber(refund.purchase_id)}`}
          onClick={() => onPay(refund)}
        >
          Mark as paid
        </SmallButton>
      </span>
    ) : (
      <RefundState refund={refund} />
    ),
})

const purchaseColumns: Column<OperatorRefund>[] = [
  {
    header: 'Purchase',
    isTitle: true,
    cell: (refund) => <PurchaseNumber id={refund.purchase_id} />,
  },
  { header: 'Buyer', from: 'xl and phones', cell: ({ user }) => <Email address={user.email} /> },
]

function RefundState({ refund }: { refund: OperatorRefund }) {
  const { state, paid_hash: hash, paid_explorer_url: url, claim_id: claimId } = refund
  if (claimId !== null) {
    return (
      <Linked to={`/refunds/claims/${claimId}`} label="Look at the claim">
        <Chip tone="neutral">In a claim</Chip>
      </Linked>
    )
  }
  const [asked] = refund.asked_acts
  if (asked !== undefined) return <AskedLink asked={asked} />
  const { ended_mark: mark } = refund
  if (state === 'open') {
    return (
      <span className="flex flex-col items-start gap-1 max-md:items-end">
        <Chip tone="warning">{refund.is_held ? 'Held' : 'Owed'}</Chip>
        {mark !== null && <EndedMarkLine mark={mark} />}
      </span>
    )
  }
  return (
    <span className="flex flex-col items-start gap-1 max-md:items-end">
      {state === 'paid' ? (
        <Chip tone="success">Paid</Chip>
      ) : (
        <Chip tone="error">Paid, its money is gone</Chip>
      )}
      {hash !== null && <Transaction hash={hash} url={url} />}
    </span>
  )
}

/** Why money is owed that could still be credited if more of it came to the same purchase. */
const mayBeCredited: ReadonlySet<OperatorRefund['reason']> = new Set([
  'underpaid',
  'late',
  'failed',
])

interface PayDialogProps {
  refund: OperatorRefund
  /** False if it is no longer to be paid, or no longer this much, since the dialog was opened. */
  isOwed: boolean
  onClose: () => void
}

/** Says what to send and where, and records the transaction that sent it. */
function PayDialog({ refund, isOwed, onClose }: PayDialogProps) {
  const { payment_token: coin, amount, ended_mark: mark, user } = refund
  const { valueOf, field, refuse } = useFields({ hash: '' })
  const [isShared, setShared] = useState(false)
  return (
    <ActDialog
      title="Mark this refund as paid"
      confirm="Mark as paid"
      done="The refund is marked as paid, and the buyer is told by mail."
      endpoint={operatorContract.payRefund}
      input={() => ({
        params: { id: refund.receipt_id },
        body: { hash: valueOf('hash'), amount, shared: isShared },
      })}
      onRefused={refuse}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        {purchaseNumber(refund.purchase_id)}, {user.email}
      </p>
      {mark !== null && <EndedMarkBanner mark={mark} />}
      {isOwed && mayBeCredited.has(refund.reason) && (
        <p>
          If the purchase has expired, or has failed without anybody pressing Fail, press it on its
          page first: a late payment could otherwise be credited together with this money.
        </p>
      )}
      {isOwed ? (
        <CopyField label="Send exactly" value={amount}>
          <span className="tabular font-strong">
            {amount} {assetName(coin)}
            {coin !== null && ` on ${networkName(coin)}`}
          </span>
        </CopyField>
      ) : (
        <div role="alert">
          <Banner tone="error">
            This refund is no longer owed as it was shown: somebody has dealt with it, or its amount
            has changed. Do not send it.
          </Banner>
        </div>
      )}
      <p className="text-14 text-quiet">
        Ask the buyer for an address: the one that the payment came from often belongs to an
        exchange, not to them. Send the money from a wallet of yours (you pay the fees), then enter
        the hash here. The server does not know the buyer’s address, so it cannot check the
        transaction: look it up on its chain first. The mark cannot be removed.
      </p>
      <TextField
        label="Hash of the transaction that paid it back"
        required
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className="font-mono text-14"
        {...field('hash')}
      />
      <Checkbox
        label="The same transaction has paid another refund too"
        keepsErrorLine={false}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </ActDialog>
  )
}
