import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type OperatorClaim, refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { networkName } from '#domain/chains/chain.ts'
import { EndedMarkBanner } from '#console/approvals/ended-mark.tsx'
import { BackLink } from '#console/kit/back-link.tsx'
import { CopiedAddress, DateLine, Labelled, StakeLine, PersonLink } from '#console/kit/values.tsx'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { assetAmount, Coins, PurchaseNumber, Transaction } from '#console/purchases/amounts.tsx'
import { reasons } from '#console/refunds/refund-table.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card, Figure, LabelledLine } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { ClaimActs } from './claim-acts.tsx'
import { ClaimState } from './states.tsx'

/** One claim: what is to be sent where, what it covers, and what can be done about it. */
export function ClaimScreen() {
  const { id = '' } = useParams()
  const query = useQuery(
    watchedQuery(['operator', 'claims', 'one', id], refundClaimsContract.getRefundClaim, {
      params: { id },
    }),
  )
  const claim = query.data
  return (
    <>
      <BackLink to="/refunds/claims">All claims</BackLink>
      <PageHeading aside={claim && <ClaimState claim={claim} />}>
        {claim === undefined ? 'Claim' : `Claim of ${claim.user.email}`}
      </PageHeading>
      <Loaded query={query} what="The claim" skeleton="h-96">
        {(shown) => <Details claim={shown} />}
      </Loaded>
    </>
  )
}

function Details({ claim }: { claim: OperatorClaim }) {
  return (
    <>
      {!claim.is_covered && (
        <Banner tone="error">
          Money that this claim is for is no longer on its chain. The claim is left out of batches
          until the money is back. If it will not come back, reject the claim.
        </Banner>
      )}
      {claim.is_held && claim.closed_date === null && (
        <Banner tone="warning">
          A purchase of this claim is held. Until it is released the claim cannot be approved and is
          left out of batches. If it will not be released, reject the claim.
        </Banner>
      )}
      {claim.parts.map(
        ({ receipt_id: id, ended_mark: mark }) =>
          mark !== null && <EndedMarkBanner key={id} mark={mark} />,
      )}
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <WhatIsSent claim={claim} />
        <Facts claim={claim} />
      </div>
      <Card title="Refunds in this claim">
        <Table
          label="Refunds in this claim"
          columns={partColumns(claim)}
          rows={claim.parts}
          keyOf={({ receipt_id: id }) => id}
          hrefOf={({ purchase_id: id }) => `/purchases/${id}`}
        />
      </Card>
    </>
  )
}

function WhatIsSent({ claim }: { claim: OperatorClaim }) {
  const { payment_token: coin, amount, fee, pays, amount_fiat: usd, address } = claim
  const isFree = !/[1-9]/.test(fee)
  return (
    <Card title="To be sent">
      <Figure
        value={assetAmount(coin, pays)}
        exact={pays}
        unit={coin.short_name}
        size="medium"
        label={`On ${networkName(coin)}`}
      />
      <CopiedAddress label="To the buyer’s address" value={address} />
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Owed">
          <Coins amount={amount} payment_token={coin} />
        </LabelledLine>
        <LabelledLine label="Network fee">
          {isFree ? 'paid by the sale' : <Coins amount={fee} payment_token={coin} />}
        </LabelledLine>
        <StakeLine usd={usd} />
      </dl>
      <ClaimActs claim={claim} />
    </Card>
  )
}

function Facts({ claim }: { claim: OperatorClaim }) {
  const { user, transaction_hash: hash, batch_id: batchId } = claim
  return (
    <Card title="Who and when">
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Buyer">
          <PersonLink user={user} />
        </LabelledLine>
        <DateLine label="Claimed" date={claim.claimed_date} />
        <DateLine
          label={claim.state === 'claimed' ? 'Can be approved from' : 'Could be cancelled until'}
          date={claim.approvable_date}
        />
        <DateLine label="Approved" date={claim.approved_date} />
        {batchId !== null && (
          <LabelledLine label="Batch">
            <TextLink to={`/refunds/batches/${batchId}`}>{`Batch ${batchId}`}</TextLink>
          </LabelledLine>
        )}
        {claim.confirmations !== null && claim.required_confirmations !== null && (
          <LabelledLine label="Confirmations">
            {Math.min(claim.confirmations, claim.required_confirmations)} of{' '}
            {claim.required_confirmations}
          </LabelledLine>
        )}
        <DateLine label={closedLabels[claim.state] ?? 'Closed'} date={claim.closed_date} />
        {claim.reason !== null && <LabelledLine label="Why">{claim.reason}</LabelledLine>}
      </dl>
      {hash !== null && (
        <Labelled label="Transaction">
          <Transaction hash={hash} url={claim.explorer_url} />
        </Labelled>
      )}
    </Card>
  )
}

const closedLabels: Partial<Record<OperatorClaim['state'], string>> = {
  confirmed: 'Paid',
  rejected: 'Rejected',
  cancelled: 'Cancelled by the buyer',
}

type Part = OperatorClaim['parts'][number]

const partColumns = ({ payment_token: coin }: OperatorClaim): Column<Part>[] => [
  { header: 'Purchase', isTitle: true, cell: ({ purchase_id: id }) => <PurchaseNumber id={id} /> },
  { header: 'Why it is owed', cell: ({ reason }) => reasons[reason] },
  {
    header: 'Amount',
    isNumber: true,
    cell: ({ amount }) => <Coins amount={amount} payment_token={coin} />,
  },
  {
    header: 'Money',
    cell: ({ is_covered: isCovered }) => (isCovered ? 'is there' : 'no longer on its chain'),
  },
]
