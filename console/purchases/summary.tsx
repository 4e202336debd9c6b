import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { CopiedAddress, DateLine } from '#console/kit/values.tsx'
import { PersonLink } from '#console/people/person-link.tsx'
import { formatExact, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { assetAmount, assetName } from './amounts.tsx'
import { useSaleTerms } from './queries.ts'
import { Status } from './status.tsx'

export function Summary({ record }: { record: PurchaseRecord }) {
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
