import { useState } from 'react'
import type { OperatorRefund } from '#contract/operator/shapes.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/time.tsx'
import { assetAmount, assetName } from '#console/purchases/amounts.ts'
import { Buyer } from '#console/purchases/status.tsx'
import { Transaction } from '#console/purchases/transaction.tsx'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions/button.tsx'
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
    ...(mayPay && refunds.some(({ state }) => state === 'open') ? [payColumn(setPaying)] : []),
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
    id: 'since',
    header: 'Owed since',
    cell: ({ since_date, reason }) => (
      <span className="flex flex-col">
        <Time value={since_date} />
        <span className="text-quiet">{reasons[reason]}</span>
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    isNumber: true,
    cell: ({ amount, payment_token }) => (
      <span title={`${amount} ${assetName(payment_token)}`} className="whitespace-nowrap">
        {assetAmount(payment_token, amount)}{' '}
        <span className="text-quiet">{assetName(payment_token)}</span>
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: (refund) => <RefundState refund={refund} /> },
]

const payColumn = (onPay: (refund: OperatorRefund) => void): Column<OperatorRefund> => ({
  id: 'act',
  header: 'To do',
  cell: (refund) =>
    refund.state === 'open' && (
      <Button
        variant="secondary"
        size="small"
        className="whitespace-nowrap"
        aria-haspopup="dialog"
        onClick={() => onPay(refund)}
      >
        Mark as paid
      </Button>
    ),
})

const purchaseColumns: Column<OperatorRefund>[] = [
  {
    id: 'purchase',
    header: 'Purchase',
    isTitle: true,
    cell: ({ purchase_id }) => (
      <span className="tabular whitespace-nowrap">{purchaseNumber(purchase_id)}</span>
    ),
  },
  { id: 'buyer', header: 'Buyer', from: 'xl', cell: ({ user }) => <Buyer email={user.email} /> },
]

function RefundState({ refund }: { refund: OperatorRefund }) {
  const { state, paid_hash: hash, paid_explorer_url: url } = refund
  if (state === 'open') return <Chip tone="warning">Owed</Chip>
  if (state === 'promised') return <Chip tone="neutral">In a claim</Chip>
  return (
    <span className="flex flex-col items-start gap-1 max-sm:items-end">
      {state === 'paid' ? (
        <Chip tone="success">Paid</Chip>
      ) : (
        <Chip tone="error">Paid, its money is gone</Chip>
      )}
      {hash !== null && <Transaction hash={hash} url={url} />}
    </span>
  )
}
