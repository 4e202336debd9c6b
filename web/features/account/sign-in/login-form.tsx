import { Suspense, useId, useState } from 'react'
import { loginSchema } from '#web/features/account/schemas.ts'
import { isRefusal, messageOf } from '#web/lib/api/call.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import { useForm } from '#web/lib/use-form.ts'
import { chosenLanguage } from '#web/messages/language.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField, TextField } from '#web/ui/fields/text-field.tsx'
import { RefusalLine } from './refusal-line.tsx'

const CodeStep = lazyComponent(() => import('./code-step.tsx'), 'CodeStep')

/** Email and password; then a code, if the account requires one. */
export function LoginForm() {
  const [isCodeAsked, setCodeAsked] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const refusalId = useId()
  const form = useLogin({
    onRefusal: setRefusal,
    onCodeAsked: () => {
      // A refusal in the step before does not concern this one.
      toast.clear()
      setCodeAsked(true)
    },
  })
  const { login, forms } = useMessages()
  if (isCodeAsked) {
    return (
      <Suspense fallback={<Skeleton className="h-44" />}>
        <CodeStep
          credentials={credentialsOf(form.values)}
          onBack={(why) => {
            setRefusal(why)
            setCodeAsked(false)
          }}
        />
      </Suspense>
    )
  }

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
        // In place of the line that is kept for an error of the field.
        {...(refusal !== null && {
          hint: <RefusalLine id={refusalId} refusal={refusal} />,
          keepsErrorLine: false,
        })}
      />
      <Button
        type="submit"
        isFullWidth
        isBusy={form.isSubmitting}
        aria-describedby={refusal === null ? undefined : refusalId}
      >
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

interface LoginSteps {
  /** Null as soon as another attempt is made. */
  onRefusal: (refusal: string | null) => void
  onCodeAsked: () => void
}

function useLogin({ onRefusal, onCodeAsked }: LoginSteps) {
  const messages = useMessages()
  const { login } = messages
  const { logIn } = useSession()
  return useForm({
    schema: loginSchema(messages),
    initial: { email: '', password: '' },
    async onSubmit(fields) {
      onRefusal(null)
      await logIn(credentialsOf(fields))
      toast.success(login.done)
    },
    onFault(error) {
      if (isRefusal(error, 'TwoFactorRequired')) {
        onCodeAsked()
        return
      }
      toast.failed(error, login.failed)
      onRefusal(messageOf(error, login.failed))
    },
  })
}

/** The user's mails follow a language that was chosen before the login. */
function credentialsOf({ email, password }: { email: string; password: string }) {
  return { email: email.trim(), password, language: chosenLanguage() }
}
