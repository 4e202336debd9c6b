import { useState } from 'react'
import { authContract } from '#contract/auth.ts'
import { FormButtons } from '#web/features/account/form-buttons.tsx'
import { CodeField, codeOf } from '#web/ui/fields/code-field.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { passwordAndCodeSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField } from '#web/ui/fields/text-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The proof that only the owner of an account with two-factor login can give. */
interface Proof {
  password: string
  code: string
}

interface ProofFormProps {
  action: string
  isDangerous?: boolean
  /** The call that takes the proof; rejects with a `CallError` if the proof is wrong. */
  onProof: (proof: Proof) => Promise<void>
  /** The message for a failure that the server has none for. */
  failed: string
  onClose: () => void
}

/** Asks for the password and a code before a change to two-factor login. */
function ProofForm({ action, isDangerous = false, ...props }: ProofFormProps) {
  const security = useSecurityTexts()
  const form = useForm({
    schema: passwordAndCodeSchema(useMessages()),
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
      <PasswordField
        {...form.text('password')}
        label={security.confirmPassword}
        autoComplete="current-password"
        autoFocus
      />
      <CodeField {...form.text('code')} hint={security.codeOrRecovery} inputMode="text" />
      <FormButtons
        action={action}
        isBusy={form.isSubmitting}
        isDangerous={isDangerous}
        onCancel={props.onClose}
      />
    </form>
  )
}

interface TwoFactorEndProps {
  onTurnedOff: () => Promise<void>
  onClose: () => void
}

/** Turns two-factor login off, for whoever has both the password and a code. */
export function TwoFactorEnd({ onTurnedOff, onClose }: TwoFactorEndProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  async function end(body: Proof) {
    await callAs(authContract.endTwoFactor, { body })
    toast.success(security.turnedOff)
    await onTurnedOff()
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

interface RecoveryRenewalProps {
  onRenewed: () => Promise<void>
  onClose: () => void
}

/** Shows new recovery codes, which replace the old ones. */
export function RecoveryRenewal({ onRenewed, onClose }: RecoveryRenewalProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const [codes, setCodes] = useState<string[] | null>(null)
  async function renew(body: Proof) {
    const renewed = await callAs(authContract.renewRecoveryCodes, { body })
    setCodes(renewed.recovery_codes)
    toast.success(security.renewed)
    void onRenewed()
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
