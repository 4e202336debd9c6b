import { BackLink } from '#console/kit/back-link.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type RefundBatchRecord, refundBatchesContract } from '#contract/operator/refund-batches.ts'
import type { OperatorClaim } from '#contract/operator/refund-claims.ts'
import { CopiedHash, DateLine, Labelled, StakeLine } from '#console/kit/values.tsx'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { assetAmount, Transaction, Coins } from '#console/purchases/amounts.tsx'
import { ExternalLink, TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { BatchActs } from './batch-acts.tsx'
import { FilesCard } from './files-card.tsx'
import { networkOf } from './ready-claims.ts'
import { BatchState, ClaimState } from './states.tsx'

export function BatchScreen() {
  const { id = '' } = useParams()
  const query = useQuery(
    watchedQuery(['operator', 'batches', 'one', id], refundBatchesContract.getRefundBatch, {
      params: { id },
    }),
  )
  return (
    <>
      <BackLink to="/refunds/batches">All batches</BackLink>
      <PageHeading aside={query.data && <BatchState state={query.data.state} />}>
        {`Batch ${id}`}
      </PageHeading>
      <Loaded query={query} what="The batch" skeleton="h-96">
        {(batch) => (
          <>
            <div className="grid items-start gap-6 xl:grid-cols-2">
              <Sums batch={batch} />
              {batch.formats.length > 0 && batch.state === 'open' && <FilesCard batch={batch} />}
            </div>
            <Lines batch={batch} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Sums({ batch }: { batch: RefundBatchRecord }) {
  const { sums, amount_fiat: usd, claims, sent, confirmed } = batch
  return (
    <Card title="To be sent">
      <div className="grid gap-4 sm:grid-cols-2">
        {sums.map(({ payment_token: coin, pays, claims: count }) => (
          <Figure
            key={coin.id}
            size="medium"
            value={assetAmount(coin, pays)}
            exact={pays}
            unit={coin.short_name}
            label={count === 1 ? 'To one address' : `In ${count} payments`}
          />
        ))}
      </div>
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Network">{networkOf(batch.chain, sums)}</LabelledLine>
        <StakeLine usd={usd} />
        <DateLine label="Made" date={batch.created_date} />
        <LabelledLine label="Found on chain">{`${sent + confirmed} of ${claims}`}</LabelledLine>
        <LabelledLine label="Confirmed">{`${confirmed} of ${claims}`}</LabelledLine>
        <DateLine
          label={batch.state === 'cancelled' ? 'Cancelled' : 'Paid'}
          date={batch.closed_date}
        />
        {batch.reason !== null && <LabelledLine label="Why">{batch.reason}</LabelledLine>}
      </dl>
      {batch.named_transactions.map(({ hash, is_named, explorer_url: url, claims: paid, note }) => {
        const what = is_named ? 'Named transaction' : 'Transaction that was found before'
        return (
          <Labelled key={hash} label={paid === 0 ? what : `${what}, pays ${paid} of ${claims}`}>
            <Transaction hash={hash} url={url} />
            {note !== null && <Banner tone="warning">{`${note}.`}</Banner>}
          </Labelled>
        )
      })}
      {batch.other_amounts.map((other, nth) => (
        <Other key={`${other.claim_id} ${other.hash} ${nth}`} other={other} />
      ))}
      <BatchActs batch={batch} />
    </Card>
  )
}

/** A transfer to one of the addresses, in another amount: it may be meant for the claim. */
function Other({ other }: { other: RefundBatchRecord['other_amounts'][number] }) {
  const { address, payment_token: coin, came, pays, hash, explorer_url: url } = other
  return (
    <Labelled label="Another amount">
      <Transaction hash={hash} url={url} />
      <Banner tone="warning">
        {`${came} ${coin.short_name} arrived at ${address}, and the claim asks for ${pays}. It does ` +
          'not count as paid. If you have sent it, do not send the whole amount as well: cancel ' +
          'the batch, and settle this claim by hand.'}
      </Banner>
    </Labelled>
  )
}

function Lines({ batch: { items, manifest } }: { batch: RefundBatchRecord }) {
  return (
    <Card title="Manifest">
      <CopiedHash label="SHA-256 of these lines, as in the audit log" value={manifest.sha256} />
      <Table label="Manifest" columns={columns} rows={items} keyOf={({ id }) => id} />
    </Card>
  )
}

const columns: readonly Column<OperatorClaim>[] = [
  { header: 'Address', isTitle: true, cell: ({ address }) => <AddressText value={address} /> },
  {
    header: 'Amount',
    isNumber: true,
    cell: ({ pays, payment_token: coin }) => <Coins amount={pays} payment_token={coin} />,
  },
  {
    header: 'State',
    cell: (claim) => (
      <span className="flex flex-col items-start gap-1 max-md:items-end">
        <ClaimState claim={claim} />
        <Depth claim={claim} />
      </span>
    ),
  },
  {
    header: 'Claim',
    cell: ({ id, user }) => (
      <TextLink to={`/refunds/claims/${id}`} className="wrap-anywhere">
        {user.email}
      </TextLink>
    ),
  },
]

function Depth({ claim }: { claim: OperatorClaim }) {
  const { confirmations, required_confirmations: required, explorer_url: url } = claim
  if (confirmations === null || required === null) return null
  return (
    <span className="text-quiet">
      {url === null ? null : (
        <>
          <ExternalLink href={url}>On chain</ExternalLink>
          {', '}
        </>
      )}
      {`${Math.min(confirmations, required)} of ${required}`}
    </span>
  )
}
