import type { ReactNode } from 'react'
import type { PurchaseRecord } from '#contract/operator/shapes.ts'
import { Time } from '#console/kit/time.tsx'
import { useMay } from '#console/session/self.ts'
import { formatExact, formatUsd, formatUsdExact } from '#web/lib/format/format.ts'
import { TextLink } from '#web/ui/actions/links.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Figure } from '#web/ui/layout/figure.tsx'
import { LabelledLine } from '#web/ui/layout/list.tsx'
import { assetAmount, assetName } from './amounts.ts'
import { useSaleTerms } from './queries.ts'
import { Status } from './status.tsx'

/** What was bought, by whom and for how much, and its present state. */
export function Summary({ record }: { record: PurchaseRecord }) {
  const { stageName, tokenSymbol } = useSaleTerms()
  const mayReadPeople = useMay('people.read')
  const { user, payment_token: coin } = record
  const inCoin = (amount: string) => (
    <span title={`${amount} ${assetName(coin)}`}>
      {assetAmount(coin, amount)} {assetName(coin)}
    </span>
  )
  return (
    <Card
      title="Purchase"
      aside={<Status status={record.status} reason={record.status_reason} />}
      className="self-start"
    >
      <Figure value={formatUsd(record.usd)} exact={record.usd} label="Asked for" size="medium" />
      <dl className="flex flex-col">
        <Line label="Buyer">
          {mayReadPeople ? <TextLink to={`/people/${user.id}`}>{user.email}</TextLink> : user.email}
        </Line>
        <Line label="To pay">{inCoin(record.amount)}</Line>
        {record.due_amount !== '0' && (
          <Line label="Still to come">{inCoin(record.due_amount)}</Line>
        )}
        {record.credited_usd !== '0' && (
          <>
            <Line label="Credited for">{formatUsd(record.credited_usd)}</Line>
            <Line label="Tokens credited">
              {formatExact(record.credited_tokens)} {tokenSymbol}
            </Line>
          </>
        )}
        {record.held_tokens !== '0' && (
          <Line label="Tokens reserved">
            {formatExact(record.held_tokens)} {tokenSymbol}
          </Line>
        )}
        <Line label="Stage">{stageName(record.stage_id)}</Line>
        <Line label="Locked price">{formatUsdExact(record.token_price)} for a token</Line>
        <Line label="Price of the coin">
          {formatUsdExact(record.payment_token_price)} for 1 {assetName(coin)}
        </Line>
        <Line label="Network">{coin.chain}</Line>
        <Line label="Made">
          <Time value={record.created_date} />
        </Line>
        <Line label="Payment due by">
          <Time value={record.expires_date} />
        </Line>
        {record.completed_date !== null && (
          <Line label="Completed">
            <Time value={record.completed_date} />
          </Line>
        )}
      </dl>
      <CopyField label="Payment address" value={record.address}>
        <AddressText value={record.address} />
      </CopyField>
      <CopyField label="Id" value={record.id}>
        <span className="font-mono text-14 wrap-anywhere">{record.id}</span>
      </CopyField>
    </Card>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return <LabelledLine label={label}>{children}</LabelledLine>
}
