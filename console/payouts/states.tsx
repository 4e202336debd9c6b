import type { RefundBatchState, RefundClaimState } from '#domain/refunds/claim-states.ts'
import type { OperatorClaim } from '#contract/operator/refund-claims.ts'
import { StateChip, type StateLook } from '#console/kit/values.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'

export const claimStates: Record<RefundClaimState, StateLook> = {
  claimed: ['warning', 'To approve'],
  approved: ['warning', 'To send'],
  batched: ['info', 'In a batch'],
  sent: ['info', 'Sent'],
  confirmed: ['success', 'Paid'],
  rejected: ['neutral', 'Rejected'],
  cancelled: ['neutral', 'Cancelled'],
}

const batchStates: Record<RefundBatchState, StateLook> = {
  open: ['warning', 'To sign'],
  sent: ['info', 'Sent'],
  confirmed: ['success', 'Paid'],
  cancelled: ['neutral', 'Cancelled'],
}

export function ClaimState({ claim }: { claim: OperatorClaim }) {
  if (claim.asked_acts.length > 0) return <Chip tone="info">Waits for a second person</Chip>
  return <StateChip look={claimStates[claim.state]} />
}

export function BatchState({ state }: { state: RefundBatchState }) {
  return <StateChip look={batchStates[state]} />
}
