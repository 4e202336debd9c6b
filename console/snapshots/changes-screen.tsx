import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type SnapshotChange, snapshotsContract } from '#contract/operator/snapshots.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { BackLink } from '#console/kit/back-link.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { PersonLink } from '#console/kit/values.tsx'
import { formatNumber } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { snapshotsQuery } from './snapshots-query.ts'

/**
 * What one snapshot changed compared with the one before, or what a correction would change now.
 */
export function SnapshotChangesScreen() {
  const { number = '' } = useParams()
  const snapshots = useQuery(snapshotsQuery).data?.snapshots
  const isTaken = snapshots?.some((each) => String(each.number) === number) ?? true
  const query = usePages(
    ['operator', 'snapshots', number, 'changes'],
    snapshotsContract.listSnapshotChanges,
    { params: { number }, query: { limit: '50' } },
  )
  return (
    <>
      <BackLink to="/delivery">Delivery</BackLink>
      <PageHeading>
        {isTaken ? `Snapshot ${number}: what changed` : 'What a correction would change'}
      </PageHeading>
      <p className="max-w-prose text-quiet">
        Each owner for whom tokens or the wallet differ from snapshot {Number(number) - 1}, with the
        purchases that make the difference.
      </p>
      <Card>
        <PagedTable
          pages={query}
          what="The difference"
          skeleton="h-64"
          empty={
            <EmptyState title="Nothing differs">
              Tokens and wallets are the same as in the last snapshot.
            </EmptyState>
          }
          label="What differs"
          columns={columns}
          keyOf={({ user }) => user.id}
        />
      </Card>
    </>
  )
}

const columns: readonly Column<SnapshotChange>[] = [
  { header: 'Owner', isTitle: true, cell: ({ user }) => <PersonLink user={user} /> },
  {
    header: 'Tokens before',
    isNumber: true,
    cell: ({ before }) => <span title={before}>{formatNumber(before)}</span>,
  },
  {
    header: 'Tokens after',
    isNumber: true,
    cell: ({ after }) => <span title={after}>{formatNumber(after)}</span>,
  },
  { header: 'Why', cell: (change) => <Reasons change={change} /> },
]

function Reasons({ change }: { change: SnapshotChange }) {
  const { causes, wallet_before: before, wallet_after: after } = change
  return (
    <span className="flex flex-col gap-2">
      {causes.map((cause) => (
        <span key={cause.id}>
          {cause.type === 'reward' ? (
            `Reward ${purchaseNumber(cause.id)}`
          ) : (
            <TextLink to={`/purchases/${cause.id}`}>Purchase {purchaseNumber(cause.id)}</TextLink>
          )}
          {`, ${cause.status_reason ?? cause.status}: ${formatNumber(cause.before)} → ${formatNumber(cause.after)}`}
        </span>
      ))}
      {before !== after && (
        <span className="flex flex-col">
          {walletText(before, after)}
          {after !== null && <AddressText value={after} />}
        </span>
      )}
    </span>
  )
}

function walletText(before: string | null, after: string | null): string {
  if (after === null) return 'The wallet is gone.'
  return before === null ? 'A wallet is set:' : 'The wallet has changed:'
}
