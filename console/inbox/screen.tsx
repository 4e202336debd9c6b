import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { consoleContract, type InboxItem } from '#contract/operator/console.ts'
import { type InboxKind, inboxKindNames, type InboxOrder } from '#domain/operators/inbox.ts'
import { countText } from '#console/kit/count-text.ts'
import { useFilters } from '#console/kit/filters.tsx'
import { Loaded, SkeletonRows, watchedQuery } from '#console/kit/loaded.tsx'
import { Button } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { CloseDialog } from './close-dialog.tsx'
import { InboxTable } from './inbox-table.tsx'

/** The most items in a reply. */
const LISTED_MAX = 100

export function InboxScreen() {
  const { values, set, clear, isAnySet } = useFilters(['order', 'kind', 'owner'])
  const [closing, setClosing] = useState<InboxItem | null>(null)
  const filters = readFilters(values)
  const query = useQuery({ ...inboxQuery(filters), placeholderData: keepPreviousData })
  return (
    <>
      <PageHeading>Inbox</PageHeading>
      <Card>
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Order"
            options={[
              { value: 'oldest', label: 'Oldest first' },
              { value: 'money', label: 'Most money first' },
            ]}
            value={filters.order}
            onChange={(order) => set({ order: order === 'oldest' ? null : order })}
          />
          <Segmented
            label="Owner"
            options={[
              { value: 'all', label: 'All' },
              { value: 'mine', label: 'Mine' },
              { value: 'nobody', label: 'Not taken' },
            ]}
            value={filters.owner ?? 'all'}
            onChange={(owner) => set({ owner: owner === 'all' ? null : owner })}
          />
        </div>
        <Loaded query={query} what="The inbox" skeleton={<SkeletonRows count={4} height="h-14" />}>
          {({ data, counts }) => (
            <>
              <Kinds
                counts={counts}
                chosen={filters.kind}
                onChoose={(kind) => set({ kind: kind ?? null })}
              />
              {data.length > 0 ? (
                <InboxTable items={data} onPutAway={setClosing} />
              ) : isAnySet && counts.some(({ count }) => count > 0) ? (
                <EmptyState
                  title="Nothing of this kind is waiting"
                  action={
                    <Button variant="secondary" onClick={clear}>
                      Show all
                    </Button>
                  }
                />
              ) : (
                <EmptyState title="Nothing is waiting for anybody">
                  Whatever needs a person is listed here, with its owner and its next step.
                </EmptyState>
              )}
              {data.length === LISTED_MAX && (
                <p className="text-14 text-quiet">
                  These are the first {LISTED_MAX}. The next ones follow as they are dealt with.
                </p>
              )}
            </>
          )}
        </Loaded>
      </Card>
      {closing !== null && <CloseDialog item={closing} onClose={() => setClosing(null)} />}
    </>
  )
}

interface KindsProps {
  counts: readonly { kind: InboxKind; count: number }[]
  chosen: InboxFilters['kind'] | undefined
  onChoose: (kind: InboxFilters['kind'] | undefined) => void
}

/** The kinds of which something waits; pressing the chosen one again shows everything. */
function Kinds({ counts, chosen, onChoose }: KindsProps) {
  const shown = counts.filter(({ kind, count }) => count > 0 || kind === chosen)
  if (shown.length === 0) return null
  return (
    <ul aria-label="Kinds" className="flex flex-wrap gap-2">
      {shown.map(({ kind, count }) => (
        <li key={kind}>
          <button
            type="button"
            aria-pressed={kind === chosen}
            onClick={() => onChoose(kind === chosen ? undefined : kind)}
            className={classNames(
              'flex min-h-11 items-center gap-2 rounded-pill border px-3 text-14 font-medium transition-colors',
              kind === chosen
                ? 'border-accent bg-raised text-ink'
                : 'border-hairline text-quiet hover:border-edge hover:text-ink',
            )}
          >
            {kindTexts[kind]}
            <span className="tabular text-ink">{countText(count)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface InboxFilters {
  order: InboxOrder
  kind?: InboxKind
  owner?: 'mine' | 'nobody'
}

/** The filters from the address; unknown values are ignored. */
function readFilters(values: { order?: string; kind?: string; owner?: string }): InboxFilters {
  const kind = inboxKindNames.find((name) => name === values.kind)
  const { owner } = values
  return {
    order: values.order === 'money' ? 'money' : 'oldest',
    ...(kind !== undefined && { kind }),
    ...((owner === 'mine' || owner === 'nobody') && { owner }),
  }
}

const inboxQuery = (filters: InboxFilters) =>
  watchedQuery(['operator', 'inbox', filters], consoleContract.listInbox, { query: filters })

const kindTexts: Record<InboxKind, string> = {
  refund: 'Refunds',
  uncovered: 'Uncovered refunds',
  sent_not_owed: 'Sent, but no longer owed',
  claim: 'Claims to approve',
  claim_to_send: 'Claims to send',
  claim_uncovered: 'Claims without their money',
  batch: 'Batches not in a block',
  paid_twice: 'Paid twice',
  payout_gone: 'Payouts that have gone',
  foreign: 'Other tokens',
  sweep: 'Failed sweeps',
  lost_payment: 'Unanswered payments',
  held: 'Held purchases',
  unconfirmed: 'Unconfirmed payments',
  unmatched: 'Unmatched money',
  approval: 'Approvals',
  mail: 'Lost mails',
  chain: 'Chains and gateways',
  feed: 'Prices',
  breach: 'Books',
  guard: 'Checks',
  snapshot: 'Snapshots',
  delivery: 'Tokens not delivered',
  late_delivery: 'Tokens sent late or twice',
  pause: 'Pause',
}
