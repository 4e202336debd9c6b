import { authContract } from '#contract/auth.ts'
import { useSecurityTexts } from '#web/messages/en/security.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { type Proof, ProofForm } from './proof-form.tsx'

interface TwoFactorEndProps {
  onTurnedOff: () => Promise<void>
  onClose: () => void
}

/** Turns two-factor login off, for whoever has both the password and a code. */
export function TwoFactorEnd({ onTurnedOff, onClose }: TwoFactorEndProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  async function end(body: Proof) {
    await callAs(authContract.endTwoFactor, { body })
    toast.success(security.turnedOff)
    await onTurnedOff()
    onClose()
  }
  return (
    <ProofForm
      action={security.turnOff}
      isDangerous
      onProof={end}
      failed={security.twoFactorFailed}
      onClose={onClose}
    />
  )
}
