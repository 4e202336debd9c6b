import { useState } from 'react'
import { authContract } from '#contract/auth.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { FormButtons } from '#web/features/account/form-buttons.tsx'
import { CodeField, codeOf } from '#web/ui/fields/code-field.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { codeSchema, passwordSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { PasswordField } from '#web/ui/fields/text-field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Side in CSS pixels; that of every QR code of the product. */
const QR_SIZE = 160

type Secret = ResultOf<typeof authContract.startTwoFactor>

interface TwoFactorSetupProps {
  onTurnedOn: () => Promise<void>
  onClose: () => void
}

/** Turns two-factor login on in three steps: the password, the app, the recovery codes. */
export function TwoFactorSetup({ onTurnedOn, onClose }: TwoFactorSetupProps) {
  const security = useSecurityTexts()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
  if (secret === null) return <PasswordStep onSecret={setSecret} onClose={onClose} />
  return (
    <AppStep
      secret={secret}
      onClose={onClose}
      onConfirmed={(codes) => {
        setRecoveryCodes(codes)
        toast.success(security.turnedOn)
        void onTurnedOn()
      }}
    />
  )
}

interface PasswordStepProps {
  onSecret: (secret: Secret) => void
  onClose: () => void
}

function PasswordStep({ onSecret, onClose }: PasswordStepProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const form = useForm({
    schema: passwordSchema(useMessages()),
    initial: { password: '' },
    async onSubmit(body) {
      onSecret(await callAs(authContract.startTwoFactor, { body }))
    },
    onFault(error) {
      refuseFields(form, error, { WrongPassword: 'password' })
      toast.failed(error, security.twoFactorFailed)
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
      <FormButtons action={security.goOn} isBusy={form.isSubmitting} onCancel={onClose} />
    </form>
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
