import { BackLink } from '#console/kit/back-link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { LoadedWithWaiting } from '#console/approvals/waiting.tsx'
import { RefundTable } from '#console/refunds/refund-table.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { PurchaseActs } from './acts.tsx'
import { purchaseQuery } from './queries.ts'
import { Summary } from './summary.tsx'
import { TimeLine } from './time-line.tsx'

/** One purchase: what it is, what happened to it, and what can be done about it. */
export function PurchaseScreen() {
  const { id = '' } = useParams()
  const query = useQuery(purchaseQuery(id))
  return (
    <>
      <BackLink to="/purchases">All purchases</BackLink>
      <PageHeading aside={query.data && <PurchaseActs record={query.data} />}>
        <span className="tabular">{purchaseNumber(id)}</span>
      </PageHeading>
      <LoadedWithWaiting
        acts={['releasePurchase']}
        about={id}
        query={query}
        what="The purchase"
        skeleton={<PurchaseSkeleton />}
      >
        {(record) => (
          <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
            <Summary record={record} />
            <div className="flex min-w-0 flex-col gap-6">
              {record.refunds.length > 0 && (
                <Card title="Refunds">
                  <RefundTable refunds={record.refunds} isOfOne />
                </Card>
              )}
              <TimeLine record={record} />
            </div>
          </div>
        )}
      </LoadedWithWaiting>
    </>
  )
}

function PurchaseSkeleton() {
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <Skeleton className="h-160" />
      <Skeleton className="h-96" />
    </div>
  )
}
