import { useState } from 'react'
import { TriangleAlert } from 'lucide-react'
import * as z from 'zod/mini'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { networkName } from '#domain/chains/chain.ts'
import { LAST_CHARACTERS } from '#domain/delivery/wallet.ts'
import { CallError, messageOf } from '#web/lib/api/call.ts'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { useTwoFactor } from '#web/session/two-factor.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { codeOf } from '#web/ui/fields/code-field.tsx'
import { ProofFields } from '#web/ui/fields/proof-fields.tsx'
import { TextField, FieldError } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import type { WalletSignature } from './sign-with-wallet.ts'
import { SigningButtons } from './signing-buttons.tsx'
import { useTakeWallet } from './wallet-queries.ts'

/**
 * Leads from the wallet, by signature or by address, to setting it. After the freeze only the same
 * wallet can sign.
 */
export function WalletDialog({ own, onClose }: { own: ReceivingWallet; onClose: () => void }) {
  const { dialog: texts } = useReceivingWalletTexts()
  const hasWallets = useAnnouncedWallets().length > 0
  const [isByHand, setByHand] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [pasted, setPasted] = useState<PastedAddress | null>(null)
  // This dialog does not follow what is set meanwhile.
  const [shown] = useState(own)
  const [isBack, setBack] = useState(false)
  const isFrozen = shown.next_step === 'frozen'
  const title = isFrozen ? texts.sign : shown.wallet === null ? texts.set : texts.change
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {chosen !== null ? (
        <ConfirmStep
          own={shown}
          chosen={chosen}
          onBack={() => {
            setChosen(null)
            setBack(true)
          }}
          onDone={onClose}
        />
      ) : isFrozen && !hasWallets ? (
        <p className="text-14">{texts.noWalletToSign}</p>
      ) : isByHand || !hasWallets ? (
        <>
          {!hasWallets && <p className="text-14">{texts.noWallet}</p>}
          <PasteStep
            former={pasted}
            onTouched={() => setByHand(true)}
            onDone={(address) => {
              setPasted(address)
              setChosen(address)
            }}
            onBack={
              hasWallets
                ? () => {
                    setByHand(false)
                    setBack(true)
                  }
                : undefined
            }
          />
        </>
      ) : (
        <>
          <p ref={isBack ? takeFocus : null} tabIndex={-1} className="text-14">
            {isFrozen ? texts.chooseSame : texts.choose}
          </p>
          <SigningButtons
            chainId={shown.chain_id}
            account={isFrozen ? (shown.wallet?.address ?? null) : null}
            receiver={null}
            isPrimary
            onSigned={setChosen}
          />
          {!isFrozen && (
            <Button variant="quiet" isFullWidth onClick={() => setByHand(true)}>
              {texts.byHand}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

/** For what takes the place of the button that led to it, or the focus would leave the step. */
const takeFocus = (element: HTMLElement | null) => element?.focus()

interface PastedAddress {
  address: string
  lastCharacters: string
}

interface PasteStepProps {
  /** What was entered before, if the buyer is back; null otherwise. */
  former: PastedAddress | null
  /** Somebody is at one of its fields: from now on it stays, even if a wallet announces itself. */
  onTouched: () => void
  onDone: (pasted: PastedAddress) => void
  /** Left out if there is no other way. */
  onBack?: (() => void) | undefined
}

const plainText = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  className: 'font-mono text-14',
} as const

/** An address typed or pasted, with the necessary precautions. */
function PasteStep({ former, onTouched, onDone, onBack }: PasteStepProps) {
  const { dialog: texts } = useReceivingWalletTexts()
  const form = useForm({
    schema: z
      .object({
        address: z.string().check(z.trim(), z.regex(/^0x[0-9a-f]{40}$/i, texts.addressFault)),
        last: z.string(),
        isNoExchange: z.boolean().check(z.refine(Boolean, texts.mustConfirm)),
      })
      .check(
        z.refine(({ address, last }) => isEnd(address, last), {
          path: ['last'],
          error: texts.lastFault,
          when: () => true,
        }),
      ),
    initial: {
      address: former?.address ?? '',
      last: former?.lastCharacters ?? '',
      isNoExchange: former !== null,
    },
    async onSubmit({ address, last }) {
      onDone({ address: address.trim(), lastCharacters: last.trim() })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <p className="flex items-start gap-2 rounded-control bg-warning/14 p-3 text-14">
        <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warning" />
        <span>{texts.exchange}</span>
      </p>
      <TextField
        {...form.text('address')}
        {...plainText}
        onFocus={onTouched}
        label={texts.address}
        maxLength={200}
        // If it is the first step, its dialog has the focus.
        autoFocus={onBack !== undefined || former !== null}
      />
      <TextField
        {...form.text('last')}
        {...plainText}
        onFocus={onTouched}
        label={texts.last}
        hint={texts.lastHint}
        maxLength={LAST_CHARACTERS}
      />
      <Checkbox {...form.checkbox('isNoExchange')} label={texts.isNoExchange} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" className="flex-1">
          {texts.goOn}
        </Button>
        {onBack !== undefined && (
          <Button variant="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        )}
      </div>
    </form>
  )
}

function isEnd(address: string, last: string): boolean {
  const end = last.trim().toLowerCase()
  return end.length === LAST_CHARACTERS && address.trim().toLowerCase().endsWith(end)
}

type Chosen = WalletSignature | PastedAddress

interface ConfirmStepProps {
  own: ReceivingWallet
  chosen: Chosen
  onBack: () => void
  onDone: () => void
}

/** The address once more, and the proof that it is the buyer who asks. */
function ConfirmStep(props: ConfirmStepProps) {
  const { own, chosen, onBack } = props
  const { dialog: texts, proofs } = useReceivingWalletTexts()
  const hasWallets = useAnnouncedWallets().length > 0
  const asksForCode = useTwoFactor().data?.is_on ?? false
  const [consent, setConsent] = useState<WalletSignature | null>(null)
  const { form, fault, isContract } = useSetting(props, { asksForCode, consent })
  const address = addressOf(chosen)
  const isChange = own.wallet !== null && own.wallet.address.toLowerCase() !== address.toLowerCase()
  return (
    <>
      <h3 ref={takeFocus} tabIndex={-1} className="font-medium">
        {texts.confirm}
      </h3>
      <div className="flex flex-col gap-1">
        <p className="text-14 text-quiet">{texts.onNetwork(networkName(own))}</p>
        <AddressBox value={address} />
        <p className="text-14">
          {'signature' in chosen ? proofs.signature : proofs.none} {texts.compare}
        </p>
        <p className="text-14 text-quiet">{texts.publicNote}</p>
      </div>
      {isChange && (
        <div className="flex flex-col gap-2 border-t border-hairline pt-4 text-14">
          <p ref={consent === null ? null : takeFocus} tabIndex={-1}>
            {consent === null ? texts.coolOff : texts.agreed}
          </p>
          {consent === null && hasWallets && (
            <>
              <p>{texts.atOnce}</p>
              <SigningButtons
                chainId={own.chain_id}
                account={own.wallet?.address ?? null}
                receiver={address}
                onSigned={setConsent}
              />
            </>
          )}
        </div>
      )}
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
        {isContract && <Checkbox {...form.checkbox('isOwnContract')} label={texts.isOwnContract} />}
        <ProofFields form={form} asksForCode={asksForCode} />
        <FieldError id="wallet-fault" error={fault} keepsLine={false} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isBusy={form.isSubmitting} className="flex-1">
            {isChange ? texts.submitChange : texts.submitSet}
          </Button>
          <Button variant="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        </div>
      </form>
    </>
  )
}

interface Agreed {
  asksForCode: boolean
  consent: WalletSignature | null
}

function useSetting({ own, chosen, onDone }: ConfirmStepProps, { asksForCode, consent }: Agreed) {
  const { dialog: texts } = useReceivingWalletTexts()
  const { forms } = useMessages()
  const { callAs } = useSession()
  const take = useTakeWallet()
  const [fault, setFault] = useState<string>()
  const [isContract, setContract] = useState(false)
  const required = z.string().check(z.minLength(1, forms.required))
  const confirmed = z.boolean().check(z.refine(Boolean, texts.mustConfirm))
  const form = useForm({
    schema: z.object({
      password: required,
      code: asksForCode ? required : z.string(),
      isOwnContract: isContract ? confirmed : z.boolean(),
    }),
    initial: { password: '', code: '', isOwnContract: false },
    async onSubmit({ password, code, isOwnContract }) {
      setFault(undefined)
      const wallet = await callAs(walletsContract.setWallet, {
        body: {
          address: addressOf(chosen),
          former: own.wallet?.address ?? null,
          ...('signature' in chosen
            ? { proof: signed(chosen) }
            : { last_characters: chosen.lastCharacters, is_no_exchange: true }),
          ...(consent !== null && { consent: signed(consent) }),
          is_own_contract: isOwnContract,
          password,
          ...(code !== '' && { code: codeOf(code) }),
        },
      })
      take(wallet)
      toast.success(wallet.change === null ? texts.isSet : texts.isAsked)
      onDone()
    },
    onFault(error) {
      if (refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })) return
      const reason = error instanceof CallError ? error.reason : null
      if (reason === 'WalletIsContract') setContract(true)
      if (
        reason === 'WalletFrozen' ||
        reason === 'WalletChangeWaits' ||
        reason === 'WalletChanged'
      ) {
        take()
      }
      const sentences: Partial<Record<CallError['reason'], string>> = texts.refusals
      const known = reason === null ? undefined : sentences[reason]
      setFault(known ?? fieldFaultOf(error) ?? messageOf(error, texts.failed))
    },
  })
  return { form, fault, isContract }
}

/** What is wrong with the address, which is no field of this step. */
function fieldFaultOf(error: unknown): string | undefined {
  return error instanceof CallError ? error.errors[0]?.message : undefined
}

const signed = ({ nonce, signature }: WalletSignature) => ({ nonce, signature })

function addressOf(chosen: Chosen): string {
  return 'signature' in chosen ? chosen.account : chosen.address
}
