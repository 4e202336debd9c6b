import { useRef, useState } from 'react'
import { Check } from 'lucide-react'
import { type AnnouncedWallet, useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import type { WalletStep } from '#web/lib/wallet/send-by-wallet.ts'
import { WalletRefusal, type WalletRefusalReason } from '#web/lib/wallet/wallet-refusal.ts'
import { useDeliveryTexts } from '#web/messages/use-delivery-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { WalletButtons, WalletFault } from '#web/ui/wallet-buttons.tsx'
import { type ClaimOrder, claimWithWallet } from './claim-call.ts'
import { useReadClaim } from './delivery-queries.ts'

interface ClaimByWalletProps {
  distributionId: string
  order: ClaimOrder
}

type Attempt =
  | { stage: 'asking'; wallet: AnnouncedWallet; step: WalletStep }
  | { stage: 'refused'; wallet: AnnouncedWallet; reason: WalletRefusalReason }
  | { stage: 'sent'; hash: string }

/** Claims a row from a wallet that lives in this browser. */
export function ClaimByWallet({ distributionId, order }: ClaimByWalletProps) {
  const texts = useDeliveryTexts()
  const wallets = useAnnouncedWallets()
  const readClaim = useReadClaim()
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const panel = useRef<HTMLDivElement>(null)

  async function claim(wallet: AnnouncedWallet) {
    try {
      await claimWithWallet({
        provider: wallet.provider,
        order,
        readOrder: () => readClaim(distributionId),
        onStep: (step) => setAttempt({ stage: 'asking', wallet, step }),
        onSent: (hash) => setAttempt({ stage: 'sent', hash }),
      })
    } catch (error) {
      const reason = error instanceof WalletRefusal ? error.reason : 'failed'
      setAttempt((now) => (now?.stage === 'sent' ? now : { stage: 'refused', wallet, reason }))
    }
  }

  function claimAgain() {
    // The button goes.
    panel.current?.focus()
    setAttempt(null)
  }

  if (attempt?.stage === 'sent') {
    return (
      <div ref={panel} tabIndex={-1} className="flex min-w-0 flex-col gap-3">
        <p role="status" className="flex items-start gap-2 text-14">
          <Check size={16} className="mt-0.5 shrink-0 text-success" />
          <span>{texts.claimSent}</span>
        </p>
        <CopyField label={texts.transaction} value={attempt.hash}>
          <AddressText value={attempt.hash} />
        </CopyField>
        <Button variant="quiet" size="small" className="self-start" onClick={claimAgain}>
          {texts.claimAgain}
        </Button>
      </div>
    )
  }
  if (wallets.length === 0) return <p className="text-14 text-quiet">{texts.noWallet}</p>
  const asked = attempt?.stage === 'asking' ? attempt.wallet.id : null
  return (
    <div ref={panel} tabIndex={-1} className="flex min-w-0 flex-col gap-3">
      <WalletButtons
        wallets={wallets}
        asked={asked}
        textOf={texts.claimWith}
        onChoose={(wallet) => void claim(wallet)}
      />
      <div role="status" className="text-14 empty:hidden">
        {attempt?.stage === 'asking' && (
          <p>{texts.claimSteps[attempt.step](attempt.wallet.name)}</p>
        )}
        {attempt?.stage === 'refused' && (
          <WalletFault reason={attempt.reason}>
            {texts.claimRefusals[attempt.reason](attempt.wallet.name)}
          </WalletFault>
        )}
      </div>
    </div>
  )
}
