import { useState } from 'react'
import { isRefusal, messageOf } from '#web/lib/call-error.ts'
import { paths } from '#web/lib/paths.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { loginSchema } from './schemas.ts'

/** E-mail and password, and a code where the account asks for one. */
export function LoginForm() {
  const messages = useMessages()
  const { login, forms } = messages
  const { logIn } = useSession()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({
    schema: loginSchema(messages),
    initial: { email: '', password: '', code: '' },
    async onSubmit({ email, password, code }) {
      const given = code.trim() === '' ? {} : { code: code.trim() }
      try {
        await logIn({ email: email.trim(), password, ...given })
        toast.success(login.done)
      } catch (error) {
        if (isRefusal(error, 'TwoFactorRequired')) setNeedsCode(true)
        toast.error(messageOf(error, login.failed))
      }
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
      <PasswordField
        {...form.text('password')}
        label={forms.password}
        autoComplete="current-password"
      />
      {needsCode && (
        <TextField
          {...form.text('code')}
          label={login.twoFactorCode}
          hint={login.twoFactorHint}
          inputMode="text"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      <Button type="submit" isFullWidth isBusy={form.isSubmitting}>
        {login.submit}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-4">
        <TextLink to={paths.forgotPassword} className="py-2.5">
          {login.forgotPassword}
        </TextLink>
        <TextLink to={paths.register} className="py-2.5">
          {login.registerAccount}
        </TextLink>
      </div>
    </form>
  )
}
