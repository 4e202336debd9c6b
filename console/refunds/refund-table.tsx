import { useState } from 'react'
import type { OperatorRefund } from '#contract/operator/shapes.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { Email, Linked, Time } from '#console/kit/values.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { AskedLink } from '#console/approvals/waiting.tsx'
import { assetName, Coins, PurchaseNumber, Transaction } from '#console/purchases/amounts.tsx'
import { useMay } from '#console/session/self.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { PayDialog } from './pay-dialog.tsx'

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
}

/** Refunds, with a button to mark open ones as paid for people who may do that. */
export function RefundTable({ refunds, isOfOne = false }: RefundTableProps) {
  const mayPay = useMay('refunds.pay')
  const [paying, setPaying] = useState<OperatorRefund | null>(null)
  const columns = [
    ...(isOfOne ? [] : purchaseColumns),
    ...refundColumns,
    stateColumn(mayPay ? setPaying : null),
  ]
  return (
    <>
      <Table
        label="Refunds"
        columns={columns}
        rows={refunds}
        keyOf={({ receipt_id, paid_hash }) => `${receipt_id} ${paid_hash}`}
        hrefOf={isOfOne ? undefined : ({ purchase_id }) => `/purchases/${purchase_id}`}
      />
      {paying !== null && <PayDialog refund={paying} onClose={() => setPaying(null)} />}
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

/** What is claimed is paid by its claim, and what waits for a second person was paid already. */
const isToPay = ({ state, claim_id: claimId, asked_acts: asked }: OperatorRefund) =>
  state === 'open' && claimId === null && asked.length === 0

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
  { header: 'Buyer', from: 'xl', cell: ({ user }) => <Email address={user.email} /> },
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
  if (state === 'open') return <Chip tone="warning">Owed</Chip>
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
