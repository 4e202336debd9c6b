import { useState } from 'react'
import type { ReceivingWallet } from '#contract/delivery/wallets.ts'
import { useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { type Chosen, ConfirmStep, PasteStep } from './wallet-steps.tsx'
import { SigningButtons } from './signing-buttons.tsx'

/** Leads from the wallet, by signature or by address, to setting it. */
export function WalletDialog({ own, onClose }: { own: ReceivingWallet; onClose: () => void }) {
  const { dialog: texts } = useReceivingWalletTexts()
  const hasWallets = useAnnouncedWallets().length > 0
  const [isByHand, setByHand] = useState(false)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  // This dialog does not follow what is set meanwhile.
  const [shown] = useState(own)
  return (
    <Dialog isOpen onClose={onClose} title={shown.wallet === null ? texts.set : texts.change}>
      {chosen !== null ? (
        <ConfirmStep own={shown} chosen={chosen} onBack={() => setChosen(null)} onDone={onClose} />
      ) : isByHand || !hasWallets ? (
        <>
          {!hasWallets && <p className="text-14">{texts.noWallet}</p>}
          <PasteStep onDone={setChosen} onBack={hasWallets ? () => setByHand(false) : undefined} />
        </>
      ) : (
        <>
          <p className="text-14">{texts.choose}</p>
          <SigningButtons
            chainId={shown.chain_id}
            account={null}
            receiver={null}
            isPrimary
            onSigned={setChosen}
          />
          <Button variant="quiet" isFullWidth onClick={() => setByHand(true)}>
            {texts.byHand}
          </Button>
        </>
      )}
    </Dialog>
  )
}
