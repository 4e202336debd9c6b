import { purchaseStatuses } from '#domain/settlement/outcome.ts'
import { Choice, DayField, SearchField, useFilters } from '#console/kit/filters.tsx'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { useSaleTerms } from './queries.ts'
import { statusWords } from './status.tsx'

const names = ['q', 'status', 'coin', 'stage', 'from', 'to', 'stake', 'sort'] as const

/** What the list is narrowed to, as the address has it. */
export const usePurchaseFilters = () => useFilters(names)

type Filters = ReturnType<typeof usePurchaseFilters>

const sortings = [
  { id: 'oldest', label: 'Oldest first' },
  { id: 'largest', label: 'Largest first' },
]

/** One field that finds a purchase by whatever a buyer can give, and filters for the list. */
export function PurchaseFilters({ filters }: { filters: Filters }) {
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
        <DayField label="From" value={values.from} onChange={(from) => set({ from })} />
        <DayField label="To" value={values.to} onChange={(to) => set({ to })} />
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
