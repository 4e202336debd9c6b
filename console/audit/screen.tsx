import { Link, useLocation, useSearchParams, useNavigate } from 'react-router'
import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorAction } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { labelOf } from '#console/approvals/approval-texts.ts'
import { dayRange } from '#console/kit/filters.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Time, CopiedHash, DateLine } from '#console/kit/values.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { ChainCard } from './chain-card.tsx'
import { AuditFilters, useAuditFilters, wholeId } from './filters.tsx'
import { whoText } from './who-text.ts'

const columns: readonly Column<OperatorAction>[] = [
  {
    header: 'Row',
    isTitle: true,
    cell: ({ id }) => (
      <>
        <span className="md:hidden">Row </span>
        {id}
      </>
    ),
  },
  { header: 'When', cell: ({ date }) => <Time value={date} /> },
  { header: 'Who', cell: whoText },
  {
    header: 'What',
    cell: ({ act, details }) => (
      <span className="inline-flex flex-wrap items-center gap-2 max-md:justify-end">
        {actText(act)}
        {details['refused'] !== undefined && <Chip tone="error">Not allowed</Chip>}
      </span>
    ),
  },
  {
    header: 'About',
    from: 'lg',
    cell: ({ purchase_id: purchase }) =>
      purchase === null ? (
        '–'
      ) : (
        <Link to={`/purchases/${purchase}`} className="underline underline-offset-4">
          Purchase {purchaseNumber(purchase)}
        </Link>
      ),
  },
  { header: 'From', from: 'xl', cell: ({ address }) => address || '–' },
]

export function AuditScreen() {
  const filters = useAuditFilters()
  const { values } = filters
  const [params] = useSearchParams()
  const { pathname, search } = useLocation()
  const { who, act } = values
  const purchase = wholeId(values.purchase)
  const query = usePages(['operator', 'actions', values], operatorContract.listActions, {
    query: {
      ...(who !== undefined && { who }),
      ...(act !== undefined && { act }),
      ...(purchase !== undefined && { purchase }),
      ...dayRange(values),
    },
  })
  const shown = query.items.find(({ id }) => id === params.get('row'))
  return (
    <>
      <PageHeading>Audit log</PageHeading>
      <ChainCard />
      <Card title="What was done">
        <AuditFilters filters={filters} />
        <PagedTable
          pages={query}
          what="The log"
          skeleton="h-96"
          empty={
            <EmptyState title={filters.isAnySet ? 'No rows match' : 'Nothing has been done yet'} />
          }
          label="What operators did"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => withRow(pathname, search, id)}
        />
      </Card>
      {shown !== undefined && (
        <RowDialog action={shown} closeTo={withRow(pathname, search, null)} />
      )}
    </>
  )
}

function withRow(pathname: string, search: string, id: string | null): string {
  const params = new URLSearchParams(search)
  if (id === null) params.delete('row')
  else params.set('row', id)
  const text = params.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** A row of the log with all that it says. Opening it is a step that the back button undoes. */
function RowDialog({ action, closeTo }: { action: OperatorAction; closeTo: string }) {
  const navigate = useNavigate()
  // The router counts the pages that links within the console have opened in this tab.
  const isOpenedHere = (window.history.state?.idx ?? 0) > 0
  const facts = {
    Call: action.act,
    From: action.address,
    'Operator’s id': action.operator_id,
    Purchase: action.purchase_id,
    User: action.user_id,
  }
  const details = Object.entries(action.details)
  return (
    <Dialog
      isOpen
      title={`Row ${action.id}: ${actText(action.act)}`}
      closesOnBack={false}
      onClose={() => void (isOpenedHere ? navigate(-1) : navigate(closeTo, { replace: true }))}
    >
      <dl className="flex flex-col divide-y divide-hairline">
        <DateLine label="When" date={action.date} />
        <LabelledLine label="Who">{whoText(action)}</LabelledLine>
        {Object.entries(facts).map(([label, value]) =>
          value === null || value === '' ? null : (
            <LabelledLine key={label} label={label}>
              {value}
            </LabelledLine>
          ),
        )}
        {details.map(([name, value]) => (
          <LabelledLine key={name} label={labelOf(name)}>
            {value}
          </LabelledLine>
        ))}
      </dl>
      <CopiedHash label="Hash" value={action.hash} />
    </Dialog>
  )
}
