import type { OperatorRefund } from '#contract/operator/shapes.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { RefundTable } from './refund-table.tsx'

/** What is or was owed back of one purchase. */
export function RefundsCard({ refunds }: { refunds: readonly OperatorRefund[] }) {
  return (
    <Card title="Refunds">
      <RefundTable refunds={refunds} isOfOne />
    </Card>
  )
}
