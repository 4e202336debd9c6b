import { useState } from 'react'
import { type OperatorClaim, refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { networkName } from '#domain/chains/chain.ts'
import { Asked } from '#console/approvals/waiting.tsx'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Time } from '#console/kit/values.tsx'
import { useMay } from '#console/session/self.ts'
import { onThisClock } from '#web/lib/api/server-clock.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'

/** Approves a claim or rejects it, if its state and the person's role allow that. */
export function ClaimActs({ claim }: { claim: OperatorClaim }) {
  const mayDecide = useMay('refunds.approve')
  const [open, setOpen] = useState<'approve' | 'reject'>()
  const isEarly = useSecondsLeft(onThisClock(claim.approvable_date)) > 0
  const mayReject = claim.state === 'claimed' || claim.state === 'approved'
  if (!mayReject) return null
  const isAsked = claim.asked_acts.length > 0
  const permission = claim.state === 'claimed' ? 'refunds.approve' : 'refunds.pay'
  if (!mayDecide) {
    return isAsked ? (
      <Asked asked={claim.asked_acts} permission={permission} />
    ) : (
      <p className="text-14 text-quiet">Finance approves or rejects it.</p>
    )
  }
  return (
    <>
      <Asked asked={claim.asked_acts} permission={permission} />
      {isEarly && claim.state === 'claimed' && (
        <p className="text-14 text-quiet">
          The buyer can cancel it until <Time value={claim.approvable_date} />. It can be approved
          from then on.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {claim.state === 'claimed' && !isEarly && !isAsked && (
          <Button onClick={() => setOpen('approve')}>Approve</Button>
        )}
        <Button variant="secondary" onClick={() => setOpen('reject')}>
          Reject
        </Button>
      </div>
      {open === 'approve' && <Approve claim={claim} onClose={() => setOpen(undefined)} />}
      {open === 'reject' && <Reject claim={claim} onClose={() => setOpen(undefined)} />}
    </>
  )
}

interface DialogProps {
  claim: OperatorClaim
  onClose: () => void
}

function Approve({ claim, onClose }: DialogProps) {
  const { id, amount, address, pays, payment_token: coin } = claim
  return (
    <ActDialog
      title="Approve this claim?"
      confirm="Approve"
      endpoint={refundClaimsContract.approveRefundClaim}
      input={() => ({ params: { id }, body: { amount, address } })}
      done="The claim is approved, and can be put into a batch."
      onClose={onClose}
    >
      <p>
        {pays} {coin.short_name} are promised to this address on {networkName(coin)}:
      </p>
      <AddressBox value={address} />
      <p className="text-14 text-quiet">
        The buyer chose it and was sent it by mail. From now on the money is theirs: it can no
        longer buy tokens, whatever comes later. Nothing is sent yet.
      </p>
    </ActDialog>
  )
}

function Reject({ claim: { id }, onClose }: DialogProps) {
  return (
    <ActDialog
      title="Reject this claim?"
      confirm="Reject"
      asksReason
      isDangerous
      endpoint={refundClaimsContract.rejectRefundClaim}
      input={(reason) => ({ params: { id }, body: { reason } })}
      done="The claim is rejected, and the buyer is told why by mail."
      onClose={onClose}
    >
      <p>
        The money stays owed, and the buyer can claim it again. They read your reason: say what they
        should do differently.
      </p>
    </ActDialog>
  )
}
