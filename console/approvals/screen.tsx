import { type Approval, approvalsContract } from '#contract/operator/approvals.ts'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { stakeColumn, StateChip, Time } from '#console/kit/values.tsx'
import { useFilters } from '#console/kit/filters.tsx'
import { useSelf } from '#console/session/self.ts'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { askedByText, shortSummary, stateTexts } from './approval-texts.ts'

const tabs = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'History' },
] as const

const summary: Column<Approval> = {
  header: 'Act',
  isTitle: true,
  cell: (row) => shortSummary(row.summary),
}
const askedBy: Column<Approval> = { header: 'Asked by', cell: (row) => askedByText(row.asked_by) }

const columns: Record<'waiting' | 'all', readonly Column<Approval>[]> = {
  waiting: [
    summary,
    stakeColumn,
    askedBy,
    { header: 'Asked', cell: (row) => <Time value={row.asked_date} as="age" /> },
    { header: 'Expires', cell: (row) => <Time value={row.expires_date} as="age" /> },
  ],
  all: [
    summary,
    stakeColumn,
    askedBy,
    { header: 'Asked', from: 'md', cell: (row) => <Time value={row.asked_date} /> },
    { header: 'State', cell: ({ state }) => <StateChip look={stateTexts[state]} /> },
    { header: 'Decided by', from: 'lg', cell: ({ decided_by: by }) => by?.name ?? '–' },
  ],
}

export function ApprovalsScreen() {
  const { values, set } = useFilters(['show'])
  const show = values.show === 'all' ? 'all' : 'waiting'
  const query = usePages(
    ['operator', 'approvals', show],
    approvalsContract.listApprovals,
    { query: show === 'waiting' ? { state: 'waiting' } : {} },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  return (
    <>
      <PageHeading>Approvals</PageHeading>
      <Segmented
        label="Which approvals"
        options={tabs}
        value={show}
        onChange={(value) => set({ show: value === 'all' ? 'all' : null })}
      />
      <Card>
        <PagedTable
          pages={query}
          what="The approvals"
          skeleton="h-72"
          empty={<Nothing isWaiting={show === 'waiting'} />}
          label={show === 'waiting' ? 'What waits for a second person' : 'All approvals'}
          columns={columns[show]}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/approvals/${id}`}
        />
      </Card>
    </>
  )
}

function Nothing({ isWaiting }: { isWaiting: boolean }) {
  const { is_alone: isAlone } = useSelf()
  return (
    <EmptyState title={isWaiting ? 'Nothing is waiting' : 'No requests yet'}>
      {isAlone
        ? 'You are the only operator, so nothing has to wait. Once there is another, anything that moves money or supply above the limits in the sale file waits here for a second person.'
        : 'Anything that moves money or supply above the limits in the sale file waits here for a second person.'}
    </EmptyState>
  )
}
