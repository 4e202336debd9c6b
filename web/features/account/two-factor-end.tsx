import { authContract } from '#contract/auth.ts'
import { messageOf } from '#web/lib/call-error.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { CodeField } from './code-field.tsx'
import { codeOf } from './one-time-code.ts'
import { refuseFields } from './refuse-fields.ts'
import { passwordAndCodeSchema } from './schemas.ts'

interface TwoFactorEndProps {
  onTurnedOff: () => Promise<void>
  onClose: () => void
}

/** Turns two-factor login off, for whoever has both the password and a code. */
export function TwoFactorEnd({ onTurnedOff, onClose }: TwoFactorEndProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const form = useForm({
    schema: passwordAndCodeSchema(useMessages()),
    initial: { password: '', code: '' },
    async onSubmit({ password, code }) {
      try {
        await callAs(authContract.endTwoFactor, { body: { password, code: codeOf(code) } })
      } catch (error) {
        refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })
        toast.error(messageOf(error, security.twoFactorFailed))
        return
      }
      toast.success(security.turnedOff)
      await onTurnedOff()
      onClose()
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
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="danger"
          isBusy={form.isSubmitting}
          className="flex-1 sm:flex-none"
        >
          {security.turnOff}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {security.cancel}
        </Button>
      </div>
    </form>
  )
}
