import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { authContract } from '#contract/auth.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { paths } from '#web/lib/paths.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Spinner } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'

/**
 * Verifies the address with the mailed token once, and goes to the dashboard whatever the result.
 */
export function Verification({ token }: { token: string | undefined }) {
  const { layout } = useMessages()
  const { verifyEmail, resetPassword } = useAccountPageTexts()
  const session = useSession()
  const navigate = useNavigate()
  // The link works only once, and React runs effects twice in development.
  const isStarted = useRef(false)

  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    async function verify() {
      if (token === undefined || token === '') {
        toast.error(resetPassword.noToken)
      } else {
        try {
          await session.callAs(authContract.verifyEmail, { query: { token } })
          session.markEmailVerified()
          toast.success(verifyEmail.done)
        } catch (error) {
          // The session had ended: the page leads to the login, and the login back to it.
          if (session.read().status === 'logged-out') return
          if (isRefusal(error, 'EmailAlreadyVerified')) {
            session.markEmailVerified()
            toast.success(verifyEmail.alreadyDone)
          } else {
            toast.error(verifyEmail.failed)
          }
        }
      }
      // Nobody is taken off a page that they have gone to meanwhile.
      if (window.location.pathname !== paths.verifyEmail) return
      await navigate(paths.dashboard, { replace: true })
    }
    void verify()
  }, [token, session, navigate, verifyEmail, resetPassword])

  return (
    <div className="flex min-h-64 items-center justify-center">
      <h1 className="sr-only">{layout.pages.verifyEmail}</h1>
      <Spinner label={verifyEmail.heading} />
    </div>
  )
}
