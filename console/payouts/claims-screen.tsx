import { type OperatorClaim, refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { networkName } from '#domain/chains/chain.ts'
import { type RefundClaimState, refundClaimStates } from '#domain/refunds/claim-states.ts'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { stakeColumn, Time, Email } from '#console/kit/values.tsx'
import { useFilters } from '#console/kit/filters.tsx'
import { RefundSections } from '#console/refunds/sections.tsx'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { Coins } from '#console/purchases/amounts.tsx'
import { ClaimState, claimStates } from './states.tsx'

const PAGE = '50'

const empty: Record<RefundClaimState, { title: string; text: string }> = {
  claimed: {
    title: 'No claims to approve',
    text: 'When buyers claim money that is owed back to them, their claims are listed here.',
  },
  approved: {
    title: 'No claims to send',
    text: 'Approved claims stay here until they are put into a batch.',
  },
  batched: {
    title: 'No claims in an open batch',
    text: 'Claims stay here from when their batch is made until the chain shows them.',
  },
  sent: { title: 'No claims on their way', text: 'Claims wait here for their confirmations.' },
  confirmed: { title: 'No claims paid yet', text: 'Claims that were paid stay here.' },
  rejected: { title: 'No claims rejected', text: 'Rejected claims stay here with the reason.' },
  cancelled: { title: 'No claims cancelled', text: 'Claims that buyers cancelled stay here.' },
}

const columns: readonly Column<OperatorClaim>[] = [
  { header: 'Buyer', isTitle: true, cell: ({ user }) => <Email address={user.email} /> },
  { header: 'Claimed', cell: ({ claimed_date: claimed }) => <Time value={claimed} as="age" /> },
  {
    header: 'To be sent',
    isNumber: true,
    cell: ({ pays, payment_token: coin }) => (
      <span className="flex flex-col max-md:items-end">
        <Coins amount={pays} payment_token={coin} />
        <span className="text-quiet">{networkName(coin)}</span>
      </span>
    ),
  },
  { ...stakeColumn, from: 'md' },
  {
    header: 'State',
    cell: (claim) => (
      <span className="flex flex-col items-start gap-1 max-md:items-end">
        {claim.is_covered ? <ClaimState claim={claim} /> : <Chip tone="error">Money gone</Chip>}
        <When claim={claim} />
      </span>
    ),
  },
]

/** When the claim can go on, if it waits for a time. */
function When({ claim }: { claim: OperatorClaim }) {
  const { state, approvable_date: approvable } = claim
  const isEarly = useSecondsLeft(onThisClock(approvable)) > 0
  if (state !== 'claimed' || !isEarly) return null
  return (
    <span className="text-quiet">
      <Time value={approvable} as="age" />
    </span>
  )
}

export function ClaimsScreen() {
  const { values, set } = useFilters(['state'])
  const state = refundClaimStates.find((each) => each === values.state) ?? 'claimed'
  const pages = usePages(
    ['operator', 'claims', state],
    refundClaimsContract.listRefundClaims,
    { query: { state, limit: PAGE } },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  const counts = pages.data?.pages[0]?.counts
  const labelOf = (each: RefundClaimState) => {
    const [, word] = claimStates[each]
    return [word, counts?.[each]].filter(isShown).join(' ')
  }
  return (
    <>
      <PageHeading>Refunds</PageHeading>
      <RefundSections />
      <Segmented
        label="Which claims"
        options={refundClaimStates.map((value) => ({ value, label: labelOf(value) }))}
        value={state}
        onChange={(next) => set({ state: next === 'claimed' ? null : next })}
      />
      <Card>
        <PagedTable
          pages={pages}
          what="The claims"
          empty={<EmptyState title={empty[state].title}>{empty[state].text}</EmptyState>}
          label="Claims"
          columns={columns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/refunds/claims/${id}`}
        />
      </Card>
    </>
  )
}

const isShown = (part: string | number | undefined) => part !== undefined && part !== 0
