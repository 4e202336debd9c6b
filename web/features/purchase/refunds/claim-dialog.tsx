import { useState } from 'react'
import * as z from 'zod/mini'
import { type RefundClaim, refundsContract } from '#contract/refunds.ts'
import { networkName } from '#domain/chains/chain.ts'
import { CallError, messageOf } from '#web/lib/api/call.ts'
import { formatExact } from '#web/lib/format/format.ts'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useRefundClaimTexts } from '#web/messages/use-refund-claim-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { useTwoFactor } from '#web/session/two-factor.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { codeOf } from '#web/ui/fields/code-field.tsx'
import { ProofFields } from '#web/ui/fields/proof-fields.tsx'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Figure } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { inCoins, inCoin, isZero, paysOf } from './claim-amounts.ts'
import { type OwedCoins, useAskForRefundsAgain } from './refund-queries.ts'
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
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
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
            onTyped={(typed) => change({ typed })}
            onDone={(address) => change({ step: 'confirm', address, notice: null })}
          />
        </>
      ) : (
        <ConfirmStep
          owed={shown}
          address={draft.address}
          onBack={() => change({ step: 'where' })}
          onChanged={() => change({ step: 'where', notice: 'changed' })}
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
        value={formatExact(pays)}
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

interface ConfirmStepProps {
  owed: OwedCoins
  /** As its chain writes it. */
  address: string
  onBack: () => void
  /** The amount owed has changed, or the fee has grown. */
  onChanged: () => void
  onMade: (claim: RefundClaim) => void
  onClose: () => void
}

/** Everything once more, and the proof that it is the buyer who asks. */
function ConfirmStep(props: ConfirmStepProps) {
  const { owed, address, onBack } = props
  const texts = useRefundClaimTexts()
  const asksForCode = useTwoFactor().data?.is_on ?? false
  const { form, fault } = useClaim(props, asksForCode)
  const { payment_token: token } = owed
  const pays = paysOf(owed, token)
  return (
    <>
      <StepHeading>{texts.confirm.heading}</StepHeading>
      <Figure
        value={formatExact(pays)}
        unit={token.short_name}
        label={texts.confirm.gets}
        size="medium"
      />
      <div className="flex flex-col gap-1">
        <p className="text-14 text-quiet">{texts.confirm.to(networkName(token))}</p>
        <AddressBox value={address} />
        <p className="text-14 text-quiet">
          {!isZero(owed.fee) && `${texts.progress.feeOf(inCoin(owed.fee, token))} `}
          {texts.confirm.final}
        </p>
      </div>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
        <ProofFields form={form} asksForCode={asksForCode} />
        <FieldError id="claim-fault" error={fault} keepsLine={false} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isBusy={form.isSubmitting} className="flex-1">
            {texts.confirm.submit(inCoins(pays, token))}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        </div>
      </form>
    </>
  )
}

function useClaim({ owed, address, ...then }: ConfirmStepProps, asksForCode: boolean) {
  const texts = useRefundClaimTexts()
  const { forms } = useMessages()
  const { callAs } = useSession()
  const askAgain = useAskForRefundsAgain()
  const [fault, setFault] = useState<string>()
  const required = z.string().check(z.minLength(1, forms.required))
  const form = useForm({
    schema: z.object({ password: required, code: asksForCode ? required : z.string() }),
    initial: { password: '', code: '' },
    async onSubmit({ password, code }) {
      setFault(undefined)
      const { payment_token: token, chain, amount, fee } = owed
      const claim = await callAs(refundsContract.claimRefund, {
        body: {
          payment_token_id: token.id,
          chain,
          address,
          amount,
          fee,
          password,
          ...(code !== '' && { code: codeOf(code) }),
        },
      })
      then.onMade(claim)
      askAgain()
    },
    onFault(error) {
      if (refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })) return
      const reason = error instanceof CallError ? error.reason : null
      if (reason === 'RefundChanged' || reason === 'RefundTooSmall') {
        askAgain()
        return then.onChanged()
      }
      if (reason === 'RefundClaimed' || reason === 'RefundNotOwed') {
        askAgain()
        toast.error(texts.claimedMeanwhile)
        return then.onClose()
      }
      setFault(messageOf(error, texts.confirm.failed))
    },
  })
  return { form, fault }
}
