import { useState } from 'react'
import { walletsContract } from '#contract/delivery/wallets.ts'
import { messageOf } from '#web/lib/api/call.ts'
import { type AnnouncedWallet, useAnnouncedWallets } from '#web/lib/wallet/announced-wallets.ts'
import { WalletRefusal } from '#web/lib/wallet/wallet-refusal.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { WalletButtons, WalletFault } from '#web/ui/wallet-buttons.tsx'
import { signWithWallet, type WalletSignature, WrongAccount } from './sign-with-wallet.ts'

interface SigningButtonsProps {
  chainId: number
  /** The account that has to sign; null for whichever is chosen. */
  account: string | null
  /** The wallet that the tokens are to go to; null for the one that signs. */
  receiver: string | null
  isPrimary?: boolean
  onSigned: (signature: WalletSignature) => void
}

type Asking = { walletId: string; step: 'account' | 'signing' } | { fault: string } | null

/** A button for each wallet in the browser, which has it sign where the tokens go. */
export function SigningButtons(props: SigningButtonsProps) {
  const { account, isPrimary = false } = props
  const { dialog: texts } = useReceivingWalletTexts()
  const wallets = useAnnouncedWallets()
  const { asking, sign } = useSigning(props)
  const asked = asking !== null && 'step' in asking ? asking : null
  const name = wallets.find(({ id }) => id === asked?.walletId)?.name ?? ''
  return (
    <div className="flex flex-col gap-2">
      <WalletButtons
        wallets={wallets}
        asked={asked?.walletId ?? null}
        isPrimary={isPrimary}
        textOf={texts.signWith}
        onChoose={sign}
      />
      <div role="status" className="text-14 empty:hidden">
        {asked !== null && (
          <p>
            {asked.step === 'signing'
              ? texts.steps.signing(name)
              : account === null
                ? texts.steps.account(name)
                : texts.steps.oldAccount(name)}
          </p>
        )}
        {asking !== null && 'fault' in asking && <WalletFault>{asking.fault}</WalletFault>}
      </div>
    </div>
  )
}

function useSigning({ chainId, account, receiver, onSigned }: SigningButtonsProps) {
  const { dialog: texts, walletRefusals } = useReceivingWalletTexts()
  const { callAs } = useSession()
  const [asking, setAsking] = useState<Asking>(null)
  async function sign({ id: walletId, name, provider }: AnnouncedWallet) {
    setAsking({ walletId, step: 'account' })
    try {
      const signature = await signWithWallet({
        provider,
        chainId,
        account,
        write: (signer) =>
          callAs(walletsContract.writeWalletMessage, {
            body: { signer, ...(receiver !== null && { receiver }) },
          }),
        onStep: (step) => setAsking({ walletId, step }),
      })
      setAsking(null)
      onSigned(signature)
    } catch (error) {
      setAsking({ fault: faultOf(error, name) })
    }
  }
  function faultOf(error: unknown, name: string): string {
    if (error instanceof WrongAccount) return walletRefusals.wrongAccount(name)
    if (!(error instanceof WalletRefusal)) return messageOf(error, texts.failed)
    const sentences: Partial<Record<WalletRefusal['reason'], (wallet: string) => string>> =
      walletRefusals
    return (sentences[error.reason] ?? walletRefusals.failed)(name)
  }
  return { asking, sign: (wallet: AnnouncedWallet) => void sign(wallet) }
}
