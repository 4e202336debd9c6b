import { useId, useState } from 'react'
import { CodeField, codeOf } from '#web/ui/fields/code-field.tsx'
import { refuseFields } from '#web/lib/refuse-fields.ts'
import { codeSchema } from '#web/features/account/schemas.ts'
import { isRefusal, messageOf } from '#web/lib/api/call.ts'
import { paths } from '#web/lib/paths.ts'
import { useForm } from '#web/lib/use-form.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import type { Session } from '#web/session/session.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { RefusalLine } from './refusal-line.tsx'

interface CodeStepProps {
  /** What was right so far. */
  credentials: Parameters<Session['logIn']>[0]
  /** Back to the first step, with the refusal of this attempt. */
  onBack: (refusal: string | null) => void
}

/** The second step of a login: a code of the authenticator app, or one of the recovery codes. */
export function CodeStep({ credentials, onBack }: CodeStepProps) {
  const security = useSecurityTexts()
  const messages = useMessages()
  const { login, layout } = messages
  const { logIn } = useSession()
  const [isRecovery, setRecovery] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const refusalId = useId()
  const form = useForm({
    schema: codeSchema(messages),
    initial: { code: '' },
    async onSubmit({ code }) {
      setRefusal(null)
      await logIn({ ...credentials, code: codeOf(code) })
      toast.success(login.done)
    },
    onFault(error) {
      refuseFields(form, error, { WrongTwoFactorCode: 'code' })
      toast.failed(error, login.failed)
      const message = messageOf(error, login.failed)
      if (isRefusal(error, 'WrongCredentials')) onBack(message)
      // A wrong code is reported at its field.
      else if (!isRefusal(error, 'WrongTwoFactorCode')) setRefusal(message)
    },
  })
  function switchKind() {
    form.reset({ code: '' })
    setRefusal(null)
    setRecovery(!isRecovery)
  }

  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <p className="mb-2 text-quiet">
        {isRecovery ? security.recoveryIntro : security.codeIntro(credentials.email)}
      </p>
      <CodeField
        // Another field, so that it takes the focus.
        key={String(isRecovery)}
        {...form.text('code')}
        isRecovery={isRecovery}
        autoFocus
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
        <Button variant="quiet" onClick={() => onBack(null)} className="-ml-5">
          {security.back}
        </Button>
        <Button variant="quiet" onClick={switchKind} className="-mr-5">
          {isRecovery ? security.byApp : security.byRecovery}
        </Button>
      </div>
      {isRecovery && (
        <p className="text-14 text-quiet">
          {security.lostBoth}
          <TextLink to={paths.privacyPolicy}>{layout.privacyPolicy}</TextLink>.
        </p>
      )}
      <RefusalLine id={refusalId} refusal={refusal} />
    </form>
  )
}
