import { useState } from 'react'
import { authContract } from '#contract/auth.ts'
import { useSecurityTexts } from '#web/messages/en/security.ts'
import { useSession } from '#web/session/session-context.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { type Proof, ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface RecoveryRenewalProps {
  onRenewed: () => Promise<void>
  onClose: () => void
}

/** Gives new recovery codes in place of the old ones, which work no longer. */
export function RecoveryRenewal({ onRenewed, onClose }: RecoveryRenewalProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const [codes, setCodes] = useState<string[] | null>(null)
  async function renew(body: Proof) {
    const renewed = await callAs(authContract.renewRecoveryCodes, { body })
    setCodes(renewed.recovery_codes)
    toast.success(security.renewed)
    void onRenewed()
  }
  if (codes !== null) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <>
      <p>{security.renewWhat}</p>
      <ProofForm
        action={security.renew}
        onProof={renew}
        failed={security.renewFailed}
        onClose={onClose}
      />
    </>
  )
}
