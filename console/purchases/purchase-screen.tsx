import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { LoadedWithWaiting } from '#console/approvals/waiting.tsx'
import { BackLink } from '#console/kit/back-link.tsx'
import { CopiedAddress, DateLine, PersonLink } from '#console/kit/values.tsx'
import { RefundTable } from '#console/refunds/refund-table.tsx'
import { formatExact, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { PurchaseActs } from './acts.tsx'
import { assetAmount, assetName } from './amounts.tsx'
import { purchaseQuery, useSaleTerms } from './queries.ts'
import { Status } from './status.tsx'
import { TimeLine } from './time-line.tsx'

/** One purchase: what it is, what happened to it, and what can be done about it. */
export function PurchaseScreen() {
  const { id = '' } = useParams()
  const query = useQuery(purchaseQuery(id))
  return (
    <>
      <BackLink to="/purchases">All purchases</BackLink>
      <PageHeading aside={query.data && <PurchaseActs record={query.data} />}>
        <span className="tabular">{purchaseNumber(id)}</span>
      </PageHeading>
      <LoadedWithWaiting
        acts={['releasePurchase']}
        about={id}
        query={query}
        what="The purchase"
        skeleton={<PurchaseSkeleton />}
      >
        {(record) => (
          <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
            <Summary record={record} />
            <div className="flex min-w-0 flex-col gap-6">
              {record.refunds.length > 0 && (
                <Card title="Refunds">
                  <RefundTable refunds={record.refunds} isOfOne />
                </Card>
              )}
              <TimeLine record={record} />
            </div>
          </div>
        )}
      </LoadedWithWaiting>
    </>
  )
}

function PurchaseSkeleton() {
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <Skeleton className="h-160" />
      <Skeleton className="h-96" />
    </div>
  )
}

function Summary({ record }: { record: PurchaseRecord }) {
  const { stageName, tokenSymbol } = useSaleTerms()
  const { user, payment_token: coin } = record
  const inCoin = (amount: string) => (
    <span title={`${amount} ${assetName(coin)}`}>
      {assetAmount(coin, amount)} {assetName(coin)}
    </span>
  )
  return (
    <Card title="Purchase" aside={<Status purchase={record} />} className="self-start">
      <Figure value={formatUsd(record.usd)} exact={record.usd} label="Asked for" size="medium" />
      <dl className="flex flex-col">
        <LabelledLine label="Buyer">
          <PersonLink user={user} />
        </LabelledLine>
        <LabelledLine label="To pay">{inCoin(record.amount)}</LabelledLine>
        {record.due_amount !== '0' && (
          <LabelledLine label="Still to come">{inCoin(record.due_amount)}</LabelledLine>
        )}
        {record.credited_usd !== '0' && (
          <>
            <LabelledLine label="Credited for">{formatUsd(record.credited_usd)}</LabelledLine>
            <LabelledLine label="Tokens credited">
              {formatExact(record.credited_tokens)} {tokenSymbol}
            </LabelledLine>
          </>
        )}
        {record.held_tokens !== '0' && (
          <LabelledLine label="Tokens reserved">
            {formatExact(record.held_tokens)} {tokenSymbol}
          </LabelledLine>
        )}
        <LabelledLine label="Stage">{stageName(record.stage_id)}</LabelledLine>
        <LabelledLine label="Locked price">
          {formatUsdExact(record.token_price)} for a token
        </LabelledLine>
        <LabelledLine label="Price of the coin">
          {formatUsdExact(record.payment_token_price)} for 1 {assetName(coin)}
        </LabelledLine>
        <LabelledLine label="Network">{networkName(coin)}</LabelledLine>
        <DateLine label="Made" date={record.created_date} />
        <DateLine label="Payment due by" date={record.expires_date} />
        <DateLine label="Completed" date={record.completed_date} />
      </dl>
      <CopiedAddress label="Payment address" value={record.address} />
      <CopyField label="Id" value={record.id}>
        <span className="font-mono text-14 wrap-anywhere">{record.id}</span>
      </CopyField>
    </Card>
  )
}
