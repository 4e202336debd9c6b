import { useState } from 'react'
import type { RefundClaim } from '#contract/refunds.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatCoins } from '#web/lib/format/format.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Figure } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { inCoins } from './claim-amounts.ts'
import { ConfirmStep } from './confirm-step.tsx'
import type { OwedCoins } from './refund-queries.ts'
import { StepHeading } from './step-heading.tsx'
import { WhereStep } from './where-step.tsx'

export interface ClaimDialogProps {
  /** In one coin, which can be claimed. */
  owed: OwedCoins
  onClose: () => void
}

/** What the buyer has said so far. */
interface Draft {
  step: 'where' | 'confirm'
  /** As it was typed. */
  typed: string
  /** As its chain writes it, once it was checked. */
  address: string
  /** Why the buyer is back at the first step. */
  notice: 'changed' | null
}

/** Leads from the amount owed via the address to the claim, which is shown at the end. */
export function ClaimDialog({ owed, onClose }: ClaimDialogProps) {
  const texts = useRefundClaimTexts()
  const [draft, setDraft] = useState<Draft>({ step: 'where', typed: '', address: '', notice: null })
  const [made, setMade] = useState<RefundClaim | null>(null)
  // What is owed is refetched while the claim is made, and is nothing after it.
  const [shown, setShown] = useState(owed)
  const isFixed = made !== null || draft.step === 'confirm'
  if (!isFixed && shown !== owed) setShown(owed)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      aside={
        made === null && (
          <span className="tabular text-14 text-quiet">
            {texts.step(draft.step === 'where' ? 1 : 2, 2)}
          </span>
        )
      }
    >
      {made !== null ? (
        <ClaimMade claim={made} onClose={onClose} />
      ) : draft.step === 'where' ? (
        <>
          {draft.notice !== null && <Banner tone="warning">{texts[draft.notice]}</Banner>}
          <WhereStep
            owed={shown}
            typed={draft.typed}
            onTyped={(typed) => setDraft({ ...draft, typed })}
            onDone={(address) => setDraft({ ...draft, step: 'confirm', address, notice: null })}
          />
        </>
      ) : (
        <ConfirmStep
          owed={shown}
          address={draft.address}
          onBack={() => setDraft({ ...draft, step: 'where' })}
          onChanged={() => setDraft({ ...draft, step: 'where', notice: 'changed' })}
          onMade={setMade}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** What was claimed, what happens next, and how to cancel it. */
function ClaimMade({ claim, onClose }: { claim: RefundClaim; onClose: () => void }) {
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
