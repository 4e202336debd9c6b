import type { RefundClaim } from '#contract/refunds.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { ExternalLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import type { ProgressStep } from '#web/ui/feedback/progress-steps.tsx'
import { Clock } from 'lucide-react'
import { inCoins } from './claim-amounts.ts'

/** How many steps of a claim are done in each state. */
const doneBy = { claimed: 0, approved: 1, batched: 2, sent: 3, confirmed: 4 } as const

/** It waits for a person, so there is no spinner. */
const awaited = <Clock size={16} />

/** The steps of a claim from its making to its confirmation; for a rejected one, the rejection. */
export function useClaimSteps(): (claim: RefundClaim) => ProgressStep[] {
  const { progress: texts } = useRefundClaimTexts()
  const { steps: payment } = useTransactionTexts()
  return (claim) => {
    const { state, amount, payment_token: token, claimed_date: claimed } = claim
    const first: ProgressStep = {
      label: texts.claimed(inCoins(amount, token)),
      state: 'done',
      detail: formatDate(claimed),
    }
    if (state === 'cancelled') return []
    if (state === 'rejected') {
      return [first, { label: texts.rejected, state: 'failed', detail: claim.reason }]
    }
    const done = doneBy[state]
    const stepOf = (nth: number, labels: readonly [string, string]): ProgressStep => ({
      label: labels[done > nth ? 1 : 0],
      state: done > nth ? 'done' : done === nth ? 'current' : 'waiting',
    })
    const { confirmations, required_confirmations: required } = claim
    const approval = stepOf(0, [texts.approving, texts.approved])
    const batch = stepOf(1, [texts.batching, texts.batched])
    const transfer = stepOf(2, [texts.sending, texts.sent])
    const depth = stepOf(3, [texts.confirming, texts.confirmed])
    if (done === 0) {
      const isEarly = onThisClock(claim.approvable_date) > Date.now()
      approval.mark = awaited
      approval.detail = isEarly
        ? texts.approvingHint(formatDate(claim.approvable_date))
        : texts.approvingSoon
    }
    if (done === 1) batch.mark = awaited
    if (done === 2) {
      transfer.mark = awaited
      transfer.detail = texts.batchedHint
    }
    if (done >= 3) transfer.detail = <SentBy claim={claim} />
    if (done === 3 && confirmations !== null && required !== null) {
      depth.detail = payment.ofConfirmations(Math.min(confirmations, required), required)
    }
    return [first, approval, batch, transfer, depth]
  }
}

/** The transaction, for comparing with what a wallet shows. */
function SentBy({ claim }: { claim: RefundClaim }) {
  const { explorer } = useTransactionTexts()
  const { transaction_hash: hash, explorer_url: url } = claim
  return (
    <span className="flex flex-col items-start gap-1">
      {hash !== null && <AddressText value={hash} />}
      {url !== null && <ExternalLink href={url}>{explorer}</ExternalLink>}
    </span>
  )
}
