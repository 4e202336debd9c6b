import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorPurchase } from '#contract/operator/shapes.ts'
import { purchaseSortings, purchaseStatuses } from '#domain/settlement/outcome.ts'
import { dayRange } from '#console/kit/filters.tsx'
import { Email, Time } from '#console/kit/values.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { formatUsd } from '#web/lib/format/format.ts'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { assetAmount, assetName, PurchaseNumber } from './amounts.tsx'
import { PurchaseFilters, usePurchaseFilters } from './filters.tsx'
import { Status } from './status.tsx'

const PAGE = '50'

export function PurchasesScreen() {
  const filters = usePurchaseFilters()
  const query = queryOf(filters.values)
  const pages = usePages(['operator', 'purchases', query], operatorContract.searchPurchases, {
    query: { ...query, limit: PAGE },
  })
  return (
    <>
      <PageHeading>Purchases</PageHeading>
      <PurchaseFilters filters={filters} />
      <Card>
        <PagedTable
          pages={pages}
          what="The purchases"
          empty={
            <EmptyState title={filters.isAnySet ? 'No purchases match' : 'No purchases yet'}>
              {filters.isAnySet
                ? 'Use fewer filters, or clear them.'
                : 'They appear here as soon as somebody buys.'}
            </EmptyState>
          }
          label="Purchases"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/purchases/${id}`}
        />
      </Card>
    </>
  )
}

const columns: Column<OperatorPurchase>[] = [
  { header: 'Number', isTitle: true, cell: ({ id }) => <PurchaseNumber id={id} /> },
  { header: 'Made', cell: ({ created_date }) => <Time value={created_date} /> },
  { header: 'Buyer', from: 'xl', cell: ({ user }) => <Email address={user.email} /> },
  { header: 'Status', cell: (purchase) => <Status purchase={purchase} /> },
  {
    header: 'Asked',
    isNumber: true,
    cell: ({ usd, amount, payment_token }) => (
      <span className="flex flex-col">
        {formatUsd(usd)}
        <span title={`${amount} ${assetName(payment_token)}`} className="text-quiet">
          {assetAmount(payment_token, amount)} {assetName(payment_token)}
        </span>
      </span>
    ),
  },
  {
    header: 'Credited',
    isNumber: true,
    from: 'xl',
    cell: ({ credited_usd }) =>
      credited_usd === '0' ? <span className="text-quiet">–</span> : formatUsd(credited_usd),
  },
]

/** The query of the call. Values in the address that are not valid filters are left out. */
function queryOf(values: ReturnType<typeof usePurchaseFilters>['values']) {
  const { q, coin, stage, stake } = values
  const status = purchaseStatuses.find((each) => each === values.status)
  const sort = purchaseSortings.find((each) => each === values.sort)
  return {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(coin !== undefined && { payment_token_id: coin }),
    ...(stage !== undefined && { stage_id: stage }),
    ...dayRange(values),
    ...(stake !== undefined && { at_stake: 'true' as const }),
    ...(sort !== undefined && { sort }),
  }
}
