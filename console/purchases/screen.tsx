import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorPurchase } from '#contract/operator/shapes.ts'
import { purchaseSortings, purchaseStatuses } from '#domain/settlement/outcome.ts'
import { dayRange, Choice, DayFields, SearchField, useFilters } from '#console/kit/filters.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Email, Time } from '#console/kit/values.tsx'
import { useMay } from '#console/session/self.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { Button } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { assetAmount, assetName, PurchaseNumber } from './amounts.tsx'
import { useSaleTerms } from './queries.ts'
import { Status, statusWords } from './status.tsx'

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
  { header: 'Buyer', from: 'xl and phones', cell: ({ user }) => <Email address={user.email} /> },
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

const names = ['q', 'status', 'coin', 'stage', 'from', 'to', 'stake', 'sort'] as const

/** What the list is narrowed to, as the address has it. */
const usePurchaseFilters = () => useFilters(names)

type Filters = ReturnType<typeof usePurchaseFilters>

const sortings = [
  { id: 'oldest', label: 'Oldest first' },
  { id: 'largest', label: 'Largest first' },
]

/** One field that finds a purchase by whatever a buyer can give, and filters for the list. */
function PurchaseFilters({ filters }: { filters: Filters }) {
  const { values, set } = filters
  const { coins, stages } = useSaleTerms()
  const mayFindPeople = useMay('people.read')
  const what = 'Number or id, payment address, or transaction hash'
  return (
    <div className="flex flex-col gap-2">
      <SearchField
        label="Find a purchase"
        hint={mayFindPeople ? `Email address, ${what.toLowerCase()}` : what}
        value={values.q}
        onChange={(q) => set({ q })}
      />
      <div className="mt-2 grid grid-cols-1 gap-x-3 gap-y-1 min-[22rem]:grid-cols-2 md:grid-cols-3 xl:grid-cols-6">
        <Choice
          label="Status"
          all="All"
          value={values.status}
          options={purchaseStatuses.map((id) => ({ id, label: statusWords[id] }))}
          onChange={(status) => set({ status })}
        />
        <Choice
          label="Coin"
          all="All"
          value={values.coin}
          options={coins.map(({ id, short_name, chain }) => ({
            id,
            label: `${short_name}, ${chain}`,
          }))}
          onChange={(coin) => set({ coin })}
        />
        <Choice
          label="Stage"
          all="All"
          value={values.stage}
          options={stages.map(({ id, name }) => ({ id, label: name }))}
          onChange={(stage) => set({ stage })}
        />
        <DayFields values={values} set={set} />
        <Choice
          label="Sort"
          all="Newest first"
          value={values.sort}
          options={sortings}
          onChange={(sort) => set({ sort })}
        />
      </div>
      <LastRow filters={filters} />
    </div>
  )
}

function LastRow({ filters: { values, set, clear, isAnySet } }: { filters: Filters }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6">
      <Checkbox
        label="Only with money at stake"
        keepsErrorLine={false}
        checked={values.stake !== undefined}
        onChange={(event) => set({ stake: event.currentTarget.checked ? 'yes' : null })}
      />
      {isAnySet && (
        <Button variant="quiet" size="small" onClick={clear}>
          Clear the filters
        </Button>
      )}
    </div>
  )
}
