import { authContract } from '#contract/auth.ts'
import { forgotPasswordSchema } from '#web/features/account/schemas.ts'
import { call, isRefusal } from '#web/lib/api/call.ts'
import { paths } from '#web/lib/paths.ts'
import { startCooldown, useCooldown } from '#web/lib/use-cooldown.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** Specification section 9. */
const COOLDOWN_SECONDS = 60
const COOLDOWN = 'password reminder'

export function ForgotPasswordForm() {
  const messages = useMessages()
  const { forgotPassword, forms } = messages
  const secondsLeft = useCooldown(COOLDOWN)
  const form = useForm({
    schema: forgotPasswordSchema(messages),
    initial: { email: '' },
    async onSubmit({ email }) {
      await call(authContract.forgotPassword, { body: { email: email.trim() } })
      toast.success(forgotPassword.done)
      startCooldown(COOLDOWN, COOLDOWN_SECONDS)
    },
    onFault(error) {
      if (isRefusal(error, 'TooManyRequests')) {
        // A longer wait, which the message names, may be for that address alone.
        startCooldown(COOLDOWN, Math.min(error.retryAfterSeconds ?? 0, COOLDOWN_SECONDS))
      }
      toast.failed(error, forgotPassword.failed)
    },
  })

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <TextField
        {...form.text('email')}
        label={forms.email}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button
        type="submit"
        isFullWidth
        isBusy={form.isSubmitting}
        disabled={secondsLeft > 0}
        className="tabular"
      >
        {secondsLeft > 0 ? forgotPassword.submitIn(secondsLeft) : forgotPassword.submit}
      </Button>
      <TextLink to={paths.login} className="self-center py-2.5">
        {forgotPassword.backToLogin}
      </TextLink>
    </form>
  )
}
