import { Loader } from 'lucide-react'
import type { OperatorPurchase } from '#contract/operator/shapes.ts'
import { Chip } from '#web/ui/feedback/chip.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'

type Status = OperatorPurchase['status']
type Reason = NonNullable<OperatorPurchase['status_reason']>

export const statusWords: Record<Status, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  expired: 'Expired',
  failed: 'Failed',
}

export const statusTones: Record<Status, Tone> = {
  pending: 'warning',
  processing: 'info',
  completed: 'success',
  expired: 'error',
  failed: 'error',
}

export const reasonWords: Record<Reason, string> = {
  underpaid: 'underpaid',
  overpaid: 'overpaid',
  late: 'paid late',
  wrong_asset: 'paid in another coin',
  withdrawn: 'withdrawn by the buyer',
  soft_cap: 'the sale missed its soft cap',
  reorged: 'a reorganisation removed its payment',
  held: 'held by an operator',
}

interface StatusProps {
  purchase: Pick<OperatorPurchase, 'status' | 'status_reason'>
}

export function Status({ purchase: { status, status_reason: reason } }: StatusProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 max-md:justify-end">
      <Chip
        tone={statusTones[status]}
        {...(status === 'processing' && { icon: <Loader size={16} className="shrink-0" /> })}
      >
        {statusWords[status]}
      </Chip>
      {reason !== null && <span className="text-14 text-quiet">{reasonWords[reason]}</span>}
    </span>
  )
}
