import { useState, useEffect, useRef } from 'react'
import { authContract } from '#contract/auth.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { FormButtons } from '#web/features/account/form-buttons.tsx'
import { codeSchema, proofSchema } from '#web/features/account/schemas.ts'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { CodeField, codeOf } from '#web/ui/fields/code-field.tsx'
import { CodesToSave } from '#web/ui/fields/codes-to-save.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { ProofFields } from '#web/ui/fields/proof-fields.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

/** Side in CSS pixels; that of every QR code of the product. */
const QR_SIZE = 160

type Secret = ResultOf<typeof authContract.startTwoFactor>

interface ChangeProps {
  /** Two-factor login is no longer as it was. */
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Turns two-factor login on in three steps: the password, the app, the recovery codes. */
export function TwoFactorSetup({ onChanged, onClose }: ChangeProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
  if (secret === null) {
    return (
      <ProofForm
        action={security.goOn}
        asksForCode={false}
        onProof={async ({ password }) =>
          setSecret(await callAs(authContract.startTwoFactor, { body: { password } }))
        }
        failed={security.twoFactorFailed}
        onClose={onClose}
      />
    )
  }
  return (
    <AppStep
      secret={secret}
      onClose={onClose}
      onConfirmed={(codes) => {
        setRecoveryCodes(codes)
        toast.success(security.turnedOn)
        void onChanged()
      }}
    />
  )
}

interface AppStepProps {
  secret: Secret
  onConfirmed: (recoveryCodes: string[]) => void
  onClose: () => void
}

function AppStep({ secret, onConfirmed, onClose }: AppStepProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const form = useForm({
    schema: codeSchema(useMessages()),
    initial: { code: '' },
    async onSubmit({ code }) {
      const input = { body: { code: codeOf(code) } }
      const { recovery_codes: codes } = await callAs(authContract.confirmTwoFactor, input)
      onConfirmed(codes)
    },
    onFault(error) {
      refuseFields(form, error, { WrongCode: 'code' })
      toast.failed(error, security.twoFactorFailed)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <p>{security.scan}</p>
      <div className="flex flex-col items-start gap-4 sm:flex-row">
        <QrCode value={secret.uri} size={QR_SIZE} title={security.qrTitle} />
        <div className="w-full min-w-0 flex-1">
          <CopyField label={security.secret} value={secret.secret}>
            <span className="font-mono">{inGroups(secret.secret)}</span>
          </CopyField>
        </div>
      </div>
      <div className="flex flex-col gap-2">
        <p className="mb-2">{security.enterCode}</p>
        <CodeField {...form.text('code')} autoFocus />
        <FormButtons action={security.turnOn} isBusy={form.isSubmitting} onCancel={onClose} />
      </div>
    </form>
  )
}

/** In fours, as it is read aloud and typed. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret
}

/** The proof that only the owner of an account can give. */
interface Proof {
  password: string
  code: string
}

interface ProofFormProps {
  action: string
  /** False before two-factor login is on. */
  asksForCode?: boolean
  isDangerous?: boolean
  /** The call that takes the proof; rejects with a `CallError` if the proof is wrong. */
  onProof: (proof: Proof) => Promise<void>
  /** The message for a failure that the server has none for. */
  failed: string
  onClose: () => void
}

/** Asks for the proof before a change to two-factor login. */
function ProofForm({ action, asksForCode = true, isDangerous = false, ...props }: ProofFormProps) {
  const form = useForm({
    schema: proofSchema(useMessages(), asksForCode),
    initial: { password: '', code: '' },
    async onSubmit({ password, code }) {
      await props.onProof({ password, code: codeOf(code) })
    },
    onFault(error) {
      refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })
      toast.failed(error, props.failed)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <ProofFields form={form} asksForCode={asksForCode} autoFocus />
      <FormButtons
        action={action}
        isBusy={form.isSubmitting}
        isDangerous={isDangerous}
        onCancel={props.onClose}
      />
    </form>
  )
}

/** Turns two-factor login off, for whoever has both the password and a code. */
export function TwoFactorEnd({ onChanged, onClose }: ChangeProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  async function end(body: Proof) {
    await callAs(authContract.endTwoFactor, { body })
    toast.success(security.turnedOff)
    await onChanged()
    onClose()
  }
  return (
    <ProofForm
      action={security.turnOff}
      isDangerous
      onProof={end}
      failed={security.twoFactorFailed}
      onClose={onClose}
    />
  )
}

/** Shows new recovery codes, which replace the old ones. */
export function RecoveryRenewal({ onChanged, onClose }: ChangeProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const [codes, setCodes] = useState<string[] | null>(null)
  async function renew(body: Proof) {
    const renewed = await callAs(authContract.renewRecoveryCodes, { body })
    setCodes(renewed.recovery_codes)
    toast.success(security.renewed)
    void onChanged()
  }
  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <>
      <p>{security.renewWhat}</p>
      <ProofForm
        action={security.renew}
        onProof={renew}
        failed={security.renewFailed}
        onClose={onClose}
      />
    </>
  )
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const security = useSecurityTexts()
  const { ui } = useMessages()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-16 outline-none">
        {security.codesTitle}
      </h3>
      <CodesToSave codes={codes} texts={{ ...ui, ...security }} onClose={onClose} />
    </div>
  )
}
