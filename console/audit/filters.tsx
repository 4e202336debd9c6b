import { actText } from '#domain/operators/act-text.ts'
import { acts } from '#domain/operators/acts.ts'
import { Choice, DayFields, SearchField, useFilters } from '#console/kit/filters.tsx'
import { Button } from '#web/ui/actions.tsx'

const names = ['who', 'act', 'purchase', 'from', 'to'] as const

/** What the log is narrowed to, as the address has it. */
export const useAuditFilters = () => useFilters(names)

type Filters = ReturnType<typeof useAuditFilters>

/** In the words of the log, for whoever looks for one. */
const actOptions = acts
  .map((id) => ({ id, label: actText(id) }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

const WHOLE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The text if it is a whole id, which is all that the log can be searched by. */
export const wholeId = (text: string | undefined) =>
  text !== undefined && WHOLE_ID.test(text) ? text : undefined

export function AuditFilters({ filters }: { filters: Filters }) {
  const { values, set, clear, isAnySet } = filters
  const { purchase } = values
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-1 gap-x-3 gap-y-4 sm:grid-cols-2">
        <SearchField
          label="Who"
          hint="Name or id"
          value={values.who}
          onChange={(who) => set({ who })}
        />
        <SearchField
          label="Purchase"
          hint="Whole id, as on the page of the purchase"
          value={purchase}
          error={
            purchase !== undefined && wholeId(purchase) === undefined
              ? 'This is not a whole id.'
              : undefined
          }
          onChange={(text) => set({ purchase: text })}
        />
      </div>
      <div className="mt-2 grid grid-cols-1 gap-x-3 gap-y-1 min-[26rem]:grid-cols-2 md:grid-cols-3">
        <div className="min-[26rem]:max-md:col-span-2">
          <Choice
            label="What"
            all="Everything"
            options={actOptions}
            value={values.act}
            onChange={(act) => set({ act })}
          />
        </div>
        <DayFields values={values} set={set} />
      </div>
      {isAnySet && (
        <Button variant="quiet" size="small" className="self-end" onClick={clear}>
          Clear the filters
        </Button>
      )}
    </div>
  )
}
