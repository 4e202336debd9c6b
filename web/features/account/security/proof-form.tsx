import { CodeField, codeOf } from '#web/features/account/code-field.tsx'
import { refuseFields } from '#web/features/account/refuse-fields.ts'
import { passwordAndCodeSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/en.ts'
import { useSecurityTexts } from '#web/messages/en/security.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'

/** What only the owner of an account with two-factor login has together. */
export interface Proof {
  password: string
  code: string
}

interface ProofFormProps {
  /** What the button says. */
  action: string
  isDangerous?: boolean
  /** The call that takes the proof; rejects with a `CallError` where it is not right. */
  onProof: (proof: Proof) => Promise<void>
  /** What is told of a failure that the server has no words for. */
  failed: string
  onClose: () => void
}

/** Asks for the password and a code before something of the two-factor login changes. */
export function ProofForm({ action, isDangerous = false, ...props }: ProofFormProps) {
  const security = useSecurityTexts()
  const form = useForm({
    schema: passwordAndCodeSchema(useMessages()),
    initial: { password: '', code: '' },
    async onSubmit({ password, code }) {
      try {
        await props.onProof({ password, code: codeOf(code) })
      } catch (error) {
        refuseFields(form, error, { WrongPassword: 'password', WrongCode: 'code' })
        toast.failed(error, props.failed)
      }
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
          variant={isDangerous ? 'danger' : 'primary'}
          isBusy={form.isSubmitting}
          className="flex-1 sm:flex-none"
        >
          {action}
        </Button>
        <Button variant="quiet" onClick={props.onClose}>
          {security.cancel}
        </Button>
      </div>
    </form>
  )
}
