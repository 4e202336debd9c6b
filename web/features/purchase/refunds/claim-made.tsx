import type { RefundClaim } from '#contract/refunds.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatCoins } from '#web/lib/format/format.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-box.tsx'
import { Figure } from '#web/ui/layout/card.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { inCoins } from './claim-amounts.ts'
import { StepHeading } from './step-heading.tsx'

/** What was claimed, what happens next, and how to cancel it. */
export function ClaimMade({ claim, onClose }: { claim: RefundClaim; onClose: () => void }) {
  const texts = useRefundClaimTexts()
  const { payment_token: token, pays, address } = claim
  return (
    <>
      <StepHeading>{texts.made.heading}</StepHeading>
      <Figure
        value={formatCoins(pays)}
        exact={pays}
        unit={token.short_name}
        label={texts.confirm.gets}
        size="medium"
      />
      <div className="flex flex-col gap-1">
        <p className="text-14 text-quiet">{texts.confirm.to(networkName(token))}</p>
        <AddressBox value={address} />
        <p className="text-14">{texts.made.text(inCoins(pays, token))}</p>
      </div>
      <div className="flex flex-col gap-1 text-14">
        <h4 className="font-medium">{texts.made.next}</h4>
        <ol className="flex list-decimal flex-col gap-1 pl-5">
          {texts.made.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
      <CancelClaim claim={claim} onCancelled={onClose} />
      <Button onClick={onClose} isFullWidth>
        {texts.done}
      </Button>
    </>
  )
}
