import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { consoleContract, type Overview } from '#contract/operator/console.ts'
import { formatUsd, formatNumber } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { anyoneIn } from '#console/inbox/anyone-in.ts'
import { countText } from '#console/kit/count-text.ts'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { StateChip, Time } from '#console/kit/values.tsx'
import { saleLook } from '#console/sale/states.ts'
import { DayBars } from './day-bars.tsx'
import { Health, OwedByToken, SoftCap, Withdrawable } from './health.tsx'
import { ByToken, Funnel, PurchasesByStatus, Stages } from './sales.tsx'

/** The state of the sale, refreshed every ten seconds. */
export function OverviewScreen() {
  const query = useQuery(watchedQuery(['operator', 'overview'], consoleContract.getOverview, {}))
  return (
    <>
      <PageHeading aside={query.data && <StateChip look={saleLook(query.data.state)} />}>
        Overview
      </PageHeading>
      <Loaded query={query} what="The overview" skeleton={<OverviewSkeleton />}>
        {(overview) => <Figures overview={overview} isOld={query.isError} />}
      </Loaded>
    </>
  )
}

function Figures({ overview, isOld }: { overview: Overview; isOld: boolean }) {
  const { sale_file_fault: fault } = overview.state
  return (
    <div className="flex flex-col gap-4">
      <p className="text-14 text-quiet">
        As of <Time value={overview.date} />
        {isOld ? '.' : ', refreshed every ten seconds.'}
      </p>
      {fault !== null && <Banner tone="error">{fault}.</Banner>}
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        <Card>
          <Sum label="Raised, in dollars at locked prices" value={formatUsd(overview.raised_fiat)}>
            {formatUsd(raisedOn(overview, -1))} today, {formatUsd(raisedOn(overview, -2))}{' '}
            yesterday.
          </Sum>
        </Card>
        <Card>
          <Sum label="Purchases credited" value={formatNumber(overview.purchases.completed)}>
            {formatNumber(overview.purchases.pending)} waiting for payment,{' '}
            {formatNumber(overview.purchases.processing)} for confirmations.
          </Sum>
        </Card>
        <Card>
          <Sum label="Refunds owed, value now" value={formatUsd(overview.owed_fiat)}>
            {owedText(overview.owed)}
          </Sum>
        </Card>
        <Waiting />
      </div>
      <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
        <Card title="Raised by day">
          <DayBars days={overview.by_day} />
        </Card>
        <ByToken tokens={overview.by_token} />
      </div>
      <Stages stages={overview.stages} symbol={overview.token_symbol} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <PurchasesByStatus purchases={overview.purchases} />
          <Funnel funnel={overview.funnel} />
          <OwedByToken owed={overview.owed} />
          <SoftCap softCap={overview.state.soft_cap} />
          <Withdrawable withdrawable={overview.state.withdrawable} />
        </div>
        <Health overview={overview} />
      </div>
    </div>
  )
}

/** A figure, and the sentence that says what it is made of. */
function Sum({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <Figure size="medium" label={label} value={value} />
      <p className="text-14 text-quiet">{children}</p>
    </div>
  )
}

const raisedOn = ({ by_day }: Overview, nth: -1 | -2) => by_day.at(nth)?.raised_fiat ?? '0'

/** What the sum is made of, and what it leaves out. */
function owedText(owed: Overview['owed']): string {
  const total = (some: Overview['owed']) => some.reduce((sum, { count }) => sum + count, 0)
  const count = total(owed)
  const unknown = total(owed.filter(({ amount_fiat: worth }) => worth === null))
  if (count === 0) return 'Nothing is owed.'
  const what = count === 1 ? 'One refund' : `${formatNumber(count)} refunds`
  return unknown === 0 ? `${what}.` : `${what}, ${formatNumber(unknown)} of unknown value.`
}

/** How much waits for a person, and what has waited longest. */
function Waiting() {
  const query = useQuery(
    watchedQuery(['operator', 'inbox', 'waiting'], consoleContract.listInbox, { query: {} }),
  )
  return (
    <Card>
      <Loaded query={query} what="Waiting" skeleton="h-28">
        {({ counts, oldest }) => (
          <Sum label="Waiting for a person" value={countText(...counts.map(({ count }) => count))}>
            {oldest ? (
              <>
                <TextLink to="/inbox">{oldest.title}</TextLink> has waited longest
                {oldest.since_date !== null && (
                  <>
                    , since <Time value={oldest.since_date} />
                  </>
                )}
                . Owner: {oldest.owner?.name ?? anyoneIn(oldest.role)}.
              </>
            ) : (
              'Nothing is waiting for anybody.'
            )}
          </Sum>
        )}
      </Loaded>
    </Card>
  )
}

function OverviewSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-5 w-64" />
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
        {['raised', 'sold', 'owed', 'waits'].map((name) => (
          <Skeleton key={name} className="h-28" />
        ))}
      </div>
      <div className="grid gap-4 xl:grid-cols-[3fr_2fr]">
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
      <Skeleton className="h-56" />
    </div>
  )
}
