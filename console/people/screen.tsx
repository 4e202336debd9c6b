import { peopleContract, type OperatorPerson } from '#contract/operator/people.ts'
import { Email, Time } from '#console/kit/values.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { SearchField, useFilters } from '#console/kit/filters.tsx'
import { isRefusal } from '#web/lib/api/call.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

const PAGE = '50'

export function PeopleScreen() {
  const { values, set } = useFilters(['q'])
  const { q } = values
  const pages = usePages(['operator', 'people', q], peopleContract.searchPeople, {
    query: { limit: PAGE, ...(q !== undefined && { q }) },
  })
  const fault = isRefusal(pages.error, 'InvalidInput') ? pages.error.errors[0]?.message : undefined
  return (
    <>
      <PageHeading>People</PageHeading>
      <SearchField
        label="Find somebody"
        hint="A whole email address, or an id"
        value={q}
        onChange={(text) => set({ q: text })}
        error={fault}
      />
      <Card>
        <PagedTable
          pages={fault === undefined ? pages : { ...pages, data: [], error: null }}
          what="The people"
          empty={
            <EmptyState title={q === undefined ? 'Nobody has registered yet' : 'Nobody found'}>
              {q !== undefined && 'An erased account can only be found by its id.'}
            </EmptyState>
          }
          label="People"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/people/${id}`}
        />
      </Card>
    </>
  )
}

const columns: Column<OperatorPerson>[] = [
  { header: 'Email', isTitle: true, cell: ({ email }) => <Email address={email} /> },
  { header: 'Name', from: 'md', cell: ({ name }) => name },
  { header: 'Registered', cell: ({ signup_date }) => <Time value={signup_date} /> },
  { header: 'Account', from: 'lg', cell: (person) => <AccountState person={person} /> },
  { header: 'Purchases', isNumber: true, cell: ({ purchases }) => purchases },
  { header: 'Credited', isNumber: true, cell: ({ credited_usd }) => formatUsd(credited_usd) },
]

function AccountState({ person }: { person: OperatorPerson }) {
  return (
    <span className="flex flex-wrap gap-1 max-md:justify-end">
      {person.is_email_verified ? (
        <Chip tone="success">Verified</Chip>
      ) : (
        <Chip tone="neutral">Not verified</Chip>
      )}
      {person.has_two_factor && <Chip tone="success">Two-factor</Chip>}
      {person.requires_password_change && <Chip tone="warning">New password required</Chip>}
    </span>
  )
}
