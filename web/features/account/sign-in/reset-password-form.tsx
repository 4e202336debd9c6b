import { useState } from 'react'
import { useNavigate } from 'react-router'
import { authContract } from '#contract/auth.ts'
import { NewPasswordField } from '#web/features/account/new-password-field.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { resetPasswordSchema } from '#web/features/account/schemas.ts'
import { call, isRefusal } from '#web/lib/api/call.ts'
import { paths } from '#web/lib/paths.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

interface ResetPasswordFormProps {
  /** From the mailed link; without it nothing is sent. */
  token: string | undefined
}

export function ResetPasswordForm({ token }: ResetPasswordFormProps) {
  const messages = useMessages()
  const { resetPassword } = useAccountPageTexts()
  const navigate = useNavigate()
  const [isLinkBad, setLinkBad] = useState(false)
  const form = useForm({
    schema: resetPasswordSchema(messages),
    initial: { password: '' },
    async onSubmit({ password }) {
      if (token === undefined) {
        toast.error(resetPassword.noToken)
        return
      }
      await call(authContract.resetPassword, { query: { token }, body: { password } })
      toast.success(resetPassword.done)
      await navigate(paths.login, { replace: true })
    },
    onFault(error) {
      refuseFields(form, error)
      toast.failed(error, resetPassword.failed)
      setLinkBad(isRefusal(error, 'LinkInvalid'))
    },
  })

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      {token === undefined && (
        <p className="mb-4 rounded-card border border-hairline bg-surface p-4">
          {resetPassword.linkIncomplete}{' '}
          <TextLink to={paths.forgotPassword} className="inline-block py-0.5">
            {resetPassword.askAgain}
          </TextLink>
        </p>
      )}
      <NewPasswordField {...form.text('password')} label={resetPassword.newPassword} />
      <Button type="submit" isFullWidth isBusy={form.isSubmitting}>
        {resetPassword.submit}
      </Button>
      {isLinkBad && (
        <TextLink to={paths.forgotPassword} className="self-center py-2.5">
          {resetPassword.askAgain}
        </TextLink>
      )}
    </form>
  )
}
