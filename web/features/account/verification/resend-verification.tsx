import { authContract } from '#contract/auth.ts'
import type { User } from '#contract/shapes.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { useCooldown } from '#web/lib/use-cooldown.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { startVerificationCooldown, verificationCooldown } from './verification-cooldown.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'

interface ResendVerificationProps {
  user: User
  /** For use within text that is smaller than the page's. */
  isSmall?: boolean
}

/** Asks for another verification mail. Show it only while the address is not verified. */
export function ResendVerification({ user, isSmall = false }: ResendVerificationProps) {
  const { account } = useAccountPageTexts()
  const session = useSession()
  const secondsLeft = useCooldown(verificationCooldown(user.id))
  const { isBusy, attempt } = useAttempt(
    async () => {
      await session.callAs(authContract.sendVerificationEmail, {})
      toast.success(account.verificationSent)
      startVerificationCooldown(user.id)
    },
    (error) => {
      if (isRefusal(error, 'EmailAlreadyVerified')) session.markEmailVerified()
      if (isRefusal(error, 'TooManyRequests')) {
        startVerificationCooldown(user.id, error.retryAfterSeconds ?? 0)
      }
      toast.failed(error, account.verificationFailed)
    },
  )

  return (
    <Button
      variant="secondary"
      size={isSmall ? 'small' : 'medium'}
      isBusy={isBusy}
      disabled={secondsLeft > 0}
      onClick={attempt}
      className={isSmall ? '' : 'w-full sm:w-auto'}
    >
      <span>
        {account.resend}
        {/* Only the number: hyphens as wide as digits would tear the words apart. */}
        {secondsLeft > 0 && <span className="tabular"> ({secondsLeft})</span>}
      </span>
    </Button>
  )
}
