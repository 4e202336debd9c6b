import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { authContract } from '#contract/auth.ts'
import type { User } from '#contract/shapes.ts'
import { FormButtons } from '#web/features/account/form-buttons.tsx'
import { NewPasswordField } from '#web/features/account/new-password-field.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { changePasswordSchema } from '#web/features/account/schemas.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'

export function PasswordCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const [form, setForm] = useState<'unopened' | 'open' | 'closed'>('unopened')
  const close = () => setForm('closed')
  return (
    <Card title={security.passwordTitle}>
      <p className="text-quiet">{security.passwordEndsOthers}</p>
      {form === 'open' ? (
        <ChangePasswordForm user={user} autoFocus onDone={close} onCancel={close} />
      ) : (
        <Button
          variant="secondary"
          onClick={() => setForm('open')}
          // The focus comes back from the form.
          autoFocus={form === 'closed'}
          className="w-full sm:w-auto sm:self-start"
        >
          {security.changePassword}
        </Button>
      )}
    </Card>
  )
}

/** The operator requires another password before the user can go on; this cannot be skipped. */
export function RequiredPasswordCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  return (
    <Card title={security.passwordNoticeTitle}>
      <Banner tone="warning">{security.passwordNotice}</Banner>
      <ChangePasswordForm user={user} />
    </Card>
  )
}

const emptyForm = { current_password: '', password: '' }

interface ChangePasswordFormProps {
  user: User
  autoFocus?: boolean
  onDone?: () => void
  /** Left out if a new password is required. */
  onCancel?: () => void
}

/** Sets a new password, which ends every other session of the user. */
function ChangePasswordForm(props: ChangePasswordFormProps) {
  const security = useSecurityTexts()
  const { user, autoFocus = false, onDone, onCancel } = props
  const form = useChangeOfPassword(user, onDone)
  return (
    <form
      noValidate
      aria-label={security.passwordTitle}
      onSubmit={form.onSubmit}
      className="flex flex-col gap-2"
    >
      {/* Shows a password manager whose password it is. */}
      <input hidden readOnly name="username" autoComplete="username" value={user.email} />
      <PasswordField
        {...form.text('current_password')}
        label={security.currentPassword}
        autoComplete="current-password"
        autoFocus={autoFocus}
      />
      <NewPasswordField {...form.text('password')} label={security.newPassword} />
      <FormButtons
        action={security.changePassword}
        isBusy={form.isSubmitting}
        onCancel={onCancel}
      />
    </form>
  )
}

function useChangeOfPassword(user: User, onDone: (() => void) | undefined) {
  const security = useSecurityTexts()
  const messages = useMessages()
  const session = useSession()
  const queryClient = useQueryClient()
  const form = useForm({
    schema: changePasswordSchema(messages),
    initial: emptyForm,
    async onSubmit(body) {
      await session.callAs(authContract.changePassword, { body })
      form.reset(emptyForm)
      toast.success(security.passwordChanged)
      onDone?.()
      await queryClient.invalidateQueries({ queryKey: ['user', user.id, 'sessions'] })
      // If the server had required the new password, nothing blocks the user any more.
      await session.loadUser()
    },
    onFault(error) {
      refuseFields(form, error, { WrongPassword: 'current_password' })
      toast.failed(error, security.passwordFailed)
    },
  })
  return form
}
