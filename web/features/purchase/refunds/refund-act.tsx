import { Suspense, type ReactNode } from 'react'
import type { RefundClaim } from '#contract/refunds.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { inCoin, isZero } from './claim-amounts.ts'
import type { ClaimDialogProps } from './claim-dialog.tsx'
import type { OwedCoins } from './refund-queries.ts'

const LazyDialog = lazyComponent(() => import('./claim-dialog.tsx'), 'ClaimDialog')

interface RefundActProps {
  owed: OwedCoins
  /** The previous claim, which was rejected or cancelled; null if there was none. */
  former: RefundClaim | null
  onClaim: () => void
}

/** Leads to claiming what is owed in a coin, or says why that is not possible yet. */
export function RefundAct({ owed, former, onClaim }: RefundActProps) {
  const texts = useRefundClaimTexts()
  const { payment_token: token, why_not: whyNot } = owed
  if (whyNot === 'too_small') {
    const minimum = inCoin(owed.minimum, token)
    return <p>{texts.whyNot.too_small(inCoin(owed.amount, token), minimum, token.short_name)}</p>
  }
  if (whyNot === 'in_claim' || whyNot === 'being_sent') return <p>{texts.whyNot[whyNot]}</p>
  return (
    <>
      <p>{wordsFor(texts, former)}</p>
      <Button
        aria-haspopup="dialog"
        onPointerEnter={LazyDialog.preload}
        onFocus={LazyDialog.preload}
        onClick={onClaim}
      >
        {texts.open}
      </Button>
    </>
  )
}

/** The dialog in which it is claimed; its code is fetched with the first one. */
export function ClaimDialog(props: ClaimDialogProps) {
  return (
    <Suspense fallback={null}>
      <LazyDialog {...props} />
    </Suspense>
  )
}

function wordsFor(texts: ReturnType<typeof useRefundClaimTexts>, former: RefundClaim | null) {
  if (former?.state === 'rejected') return texts.progress.rejectedNext
  if (former?.state === 'cancelled' && former.closed_date !== null) {
    return `${texts.progress.cancelled(formatDate(former.closed_date))} ${texts.intro}`
  }
  return texts.intro
}

/** Where the money of a claim goes, and how to cancel the claim while that is possible. */
export function OpenClaim({ claim }: { claim: RefundClaim }) {
  const { progress: texts } = useRefundClaimTexts()
  const { payment_token: token, pays, fee, state } = claim
  return (
    <>
      <Destination address={claim.address}>{texts.to(inCoin(pays, token))}</Destination>
      {!isZero(fee) && <p className="text-quiet">{texts.feeOf(inCoin(fee, token))}</p>}
      {state === 'claimed' && <CancelClaim claim={claim} />}
    </>
  )
}

/** How much of a claim arrived, and where. */
export function PaidClaim({ claim }: { claim: RefundClaim }) {
  const { progress: texts } = useRefundClaimTexts()
  const { payment_token: token, pays, fee } = claim
  const paid = inCoin(pays, token)
  return (
    <Destination address={claim.address}>
      {isZero(fee) ? texts.arrivedWhole(paid) : texts.arrived(paid, inCoin(fee, token))}
    </Destination>
  )
}

function Destination({ address, children }: { address: string; children: ReactNode }) {
  return (
    <div className="flex w-full flex-col gap-1">
      <p className="tabular">{children}</p>
      <AddressBox value={address} />
    </div>
  )
}
