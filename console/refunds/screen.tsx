import { operatorContract } from '#contract/operator/operations.ts'
import type { OwedTotal } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { type RefundState, refundStates } from '#domain/settlement/outcome.ts'
import { LoadMore, usePages } from '#console/kit/table.tsx'
import { LOOK_EVERY_MS, Loaded, SkeletonRows } from '#console/kit/loaded.tsx'
import { useFilters } from '#console/kit/filters.tsx'
import { assetAmount, assetName } from '#console/purchases/amounts.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { RefundTable } from './refund-table.tsx'
import { RefundSections } from './sections.tsx'

const PAGE = '50'

const words: Record<RefundState, string> = {
  open: 'Owed',
  promised: 'Promised',
  paid: 'Paid',
  uncovered: 'Money gone',
}

const empty: Record<RefundState, { title: string; text: string }> = {
  open: { title: 'Nothing is owed back', text: 'Money that bought nothing is listed here.' },
  promised: {
    title: 'Nothing is promised',
    text:
      'Refunds that buyers have claimed and an operator has approved are listed here until they ' +
      'are paid.',
  },
  paid: { title: 'Nothing was paid back yet', text: 'Refunds that were marked as paid stay here.' },
  uncovered: {
    title: 'No refunds have lost their money',
    text: 'A refund is listed here if its chain or gateway takes back the payment that it was for.',
  },
}

export function RefundsScreen() {
  const { values, set } = useFilters(['state'])
  const state = refundStates.find((each) => each === values.state) ?? 'open'
  const pages = usePages(
    ['operator', 'refunds', state],
    operatorContract.listRefunds,
    { query: { state, limit: PAGE } },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  const newest = pages.data?.pages[0]
  const labelOf = (each: RefundState) =>
    newest === undefined ? words[each] : `${words[each]} ${newest.counts[each]}`
  return (
    <>
      <PageHeading>Refunds</PageHeading>
      <RefundSections />
      <Segmented
        label="Which refunds"
        options={refundStates.map((value) => ({ value, label: labelOf(value) }))}
        value={state}
        onChange={(next) => set({ state: next === 'open' ? null : next })}
      />
      <Loaded query={{ ...pages, data: newest }} what="The refunds" skeleton={<SkeletonRows />}>
        {({ owed, counts }) => (
          <>
            {state === 'open' && owed.length > 0 && <Totals owed={owed} />}
            <Card>
              <RefundTable
                refunds={pages.items}
                empty={
                  state === 'open' && counts.promised > 0 ? (
                    <EmptyState title="Nothing else is owed back">
                      The rest is promised to claims.
                    </EmptyState>
                  ) : (
                    <EmptyState title={empty[state].title}>{empty[state].text}</EmptyState>
                  )
                }
              />
              <LoadMore query={pages} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}

function Totals({ owed }: { owed: readonly OwedTotal[] }) {
  return (
    <Card title="Total owed, promised included">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {owed.map(({ payment_token: coin, asset, amount, count }) => (
          <Figure
            key={asset}
            size="medium"
            value={assetAmount(coin, amount)}
            unit={assetName(coin)}
            exact={amount}
            label={`${count} ${count === 1 ? 'refund' : 'refunds'}${coin === null ? ` of ${asset}` : `, ${networkName(coin)}`}`}
          />
        ))}
      </div>
    </Card>
  )
}
