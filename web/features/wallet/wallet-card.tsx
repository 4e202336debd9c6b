import { Suspense, useRef, useState } from 'react'
import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import type { Project } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useKeptFocus } from '#web/lib/use-kept-focus.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { useSession, useUser } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-text.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { TimeLeftLine } from '#web/ui/feedback/time-left.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { useOwnWallet, useTakeWallet } from './wallet-queries.ts'

type Texts = ReturnType<typeof useReceivingWalletTexts>

const WalletDialog = lazyComponent(() => import('./wallet-dialog.tsx'), 'WalletDialog')

interface WalletCardProps {
  symbol: string
  delivery: NonNullable<Project['delivery']>
}

/** Where the user's tokens go, and how to set that. */
export function WalletCard({ symbol, delivery }: WalletCardProps) {
  const texts = useReceivingWalletTexts()
  const query = useOwnWallet()
  const { data: own, isError } = query
  const [isOpen, setOpen] = useState(false)
  const isVerified = useUser()?.is_email_verified ?? false
  const cancelling = useCancelling(own?.change)
  const panel = useRef<HTMLDivElement>(null)
  useKeptFocus(panel, `${isOpen} ${cancelling.isBusy}`)
  const action = own !== undefined && actionOf(own, texts)
  return (
    <Card title={texts.title} aside={own !== undefined && <StateChip own={own} />}>
      <div ref={panel} tabIndex={-1} className="flex flex-col gap-4">
        <p className="text-quiet">{texts.intro(symbol, networkName(delivery))}</p>
        {own === undefined && !isError && <Skeleton className="h-11 w-full" />}
        {own === undefined && isError && <ErrorState title={texts.failedToLoad} query={query} />}
        {own?.wallet === null && <p>{texts.none}</p>}
        {own?.wallet != null && <Current wallet={own.wallet} />}
        {own?.next_step === 'frozen' && (
          <p className="text-14 text-quiet">
            {own.wallet?.is_listed === false ? texts.unlisted : texts.listed} {texts.frozen}
          </p>
        )}
        {own?.change != null && <WaitingChange change={own.change} cancelling={cancelling} />}
        {action && !isVerified && <p className="text-14 text-warning">{texts.confirmFirst}</p>}
        {action && isVerified && (
          <Button
            variant={own?.wallet === null ? 'primary' : 'secondary'}
            onClick={() => setOpen(true)}
            className="w-full sm:w-auto sm:self-start"
          >
            {action}
          </Button>
        )}
        {isOpen && own !== undefined && (
          <Suspense fallback={null}>
            <WalletDialog own={own} onClose={() => setOpen(false)} />
          </Suspense>
        )}
      </div>
    </Card>
  )
}

/** What the button says; null without one. */
function actionOf({ wallet, next_step: next }: ReceivingWallet, texts: Texts): string | null {
  if (next === 'set') return texts.setOne
  if (next === 'change') return texts.change
  return next === 'frozen' && wallet?.proof === 'none' ? texts.sign : null
}

function Current({ wallet }: { wallet: NonNullable<ReceivingWallet['wallet']> }) {
  const texts = useReceivingWalletTexts()
  return (
    <div className="flex flex-col gap-1">
      <p className="text-14 text-quiet">{texts.goesTo}</p>
      <AddressBox value={wallet.address} />
      <p className="text-14">{texts.proofs[wallet.proof]}</p>
      {wallet.is_shared && <p className="text-14 text-warning">{texts.isShared}</p>}
    </div>
  )
}

function StateChip({ own: { wallet, next_step: next } }: { own: ReceivingWallet }) {
  const { chips } = useReceivingWalletTexts()
  if (next === 'cancel') return <Chip tone="warning">{chips.waiting}</Chip>
  if (next === 'frozen') return <Chip tone="neutral">{chips.frozen}</Chip>
  if (wallet === null) return null
  return wallet.proof === 'none' ? (
    <Chip tone="neutral">{chips.pasted}</Chip>
  ) : (
    <Chip tone="success">{chips.signed}</Chip>
  )
}

interface WaitingChangeProps {
  change: NonNullable<ReceivingWallet['change']>
  cancelling: ReturnType<typeof useCancelling>
}

/** The waiting change, how long it can be cancelled, and the button for that. */
function WaitingChange({ change, cancelling: { isBusy, attempt } }: WaitingChangeProps) {
  const { waiting: texts } = useReceivingWalletTexts()
  const take = useTakeWallet()
  const left = useCountdown(change.effective_date, () => take())
  return (
    <div className="flex w-full flex-col items-start gap-3 border-t border-hairline pt-4 text-14">
      <TimeLeftLine left={left} label={texts.timeLeft}>
        <span className="text-quiet">{texts.to}</span>
      </TimeLeftLine>
      <AddressBox value={change.address} />
      <p>{texts.until(formatDate(change.effective_date))}</p>
      <Button variant="secondary" isBusy={isBusy} onClick={attempt} className="w-full sm:w-auto">
        {texts.cancel}
      </Button>
    </div>
  )
}

function useCancelling(change: ReceivingWallet['change'] | undefined) {
  const { waiting: texts } = useReceivingWalletTexts()
  const take = useTakeWallet()
  const { callAs } = useSession()
  return useAttempt(async () => {
    const own = await callAs(walletsContract.cancelWalletChange, {})
    take(own)
    if (own.wallet?.address === change?.address) toast.error(texts.tooLate)
    else toast.success(texts.done)
  }, texts.failed)
}
