import type { RefundBatchState, RefundClaimState } from '#domain/refunds/claim-states.ts'
import type { OperatorClaim } from '#contract/operator/refund-claims.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

type Look = { tone: Tone; label: string }

/** How operators call the states of a claim. */
export const claimStates: Record<RefundClaimState, Look> = {
  claimed: { tone: 'warning', label: 'To approve' },
  approved: { tone: 'warning', label: 'To send' },
  batched: { tone: 'info', label: 'In a batch' },
  sent: { tone: 'info', label: 'Sent' },
  confirmed: { tone: 'success', label: 'Paid' },
  rejected: { tone: 'neutral', label: 'Rejected' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
}

const batchStates: Record<RefundBatchState, Look> = {
  open: { tone: 'warning', label: 'To sign' },
  sent: { tone: 'info', label: 'Sent' },
  confirmed: { tone: 'success', label: 'Paid' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
}

export function ClaimState({ claim }: { claim: OperatorClaim }) {
  const { tone, label } = claimStates[claim.state]
  if (claim.asked_acts.length > 0) return <Chip tone="info">Waits for a second person</Chip>
  return <Chip tone={tone}>{label}</Chip>
}

export function BatchState({ state }: { state: RefundBatchState }) {
  const { tone, label } = batchStates[state]
  return <Chip tone={tone}>{label}</Chip>
}
