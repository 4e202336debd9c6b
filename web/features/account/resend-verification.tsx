import { useState } from 'react'
import { authContract } from '#contract/auth.ts'
import { isRefusal, messageOf } from '#web/lib/call-error.ts'
import { useCooldown } from '#web/lib/use-cooldown.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast-store.ts'

/** Specification section 9. */
const COOLDOWN_SECONDS = 60

/** Asks for another verification mail. Show it only while the address is not verified. */
export function ResendVerification() {
  const { account } = useMessages()
  const session = useSession()
  const cooldown = useCooldown()
  const [isBusy, setBusy] = useState(false)

  async function send() {
    setBusy(true)
    try {
      await session.callAs(authContract.sendVerificationEmail, {})
      toast.success(account.verificationSent)
      cooldown.start(COOLDOWN_SECONDS)
    } catch (error) {
      if (isRefusal(error, 'EmailAlreadyVerified')) session.markEmailVerified()
      if (isRefusal(error, 'TooManyRequests')) cooldown.start(error.retryAfterSeconds ?? 0)
      toast.error(messageOf(error, account.verificationFailed))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      variant="secondary"
      isBusy={isBusy}
      disabled={cooldown.secondsLeft > 0}
      onClick={() => void send()}
      className="tabular"
    >
      {cooldown.secondsLeft > 0 ? account.resendIn(cooldown.secondsLeft) : account.resend}
    </Button>
  )
}
