import { type ReceivingWallet, walletsContract } from '#contract/delivery/wallets.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useCountdown } from '#web/lib/use-countdown.ts'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { AddressBox } from '#web/ui/address-box.tsx'
import { TimeLeftLine } from '#web/ui/feedback/time-left.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { useTakeWallet } from './wallet-queries.ts'

/** The waiting change, how long it can be cancelled, and the button for that. */
export function WaitingChange({ change }: { change: NonNullable<ReceivingWallet['change']> }) {
  const { waiting: texts } = useReceivingWalletTexts()
  const take = useTakeWallet()
  const left = useCountdown(change.effective_date, () => take())
  const { callAs } = useSession()
  const { isBusy, attempt } = useAttempt(async () => {
    take(await callAs(walletsContract.cancelWalletChange, {}))
    toast.success(texts.done)
  }, texts.failed)
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
