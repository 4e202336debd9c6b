import { useProofTexts } from './use-proof-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { loadReceipts, saveReceipts } from './queries.ts'

/** All receipts of the logged-in user, as one file. */
export function OwnReceipts({ symbol }: { symbol: string }) {
  const { own: texts } = useProofTexts()
  const { callAs } = useSession()
  const { isBusy, attempt } = useAttempt(async () => {
    const receipts = await loadReceipts(callAs)
    if (receipts.length === 0) toast.success(texts.nothing)
    else saveReceipts(`${symbol}-proofs-${receipts[0]?.snapshot ?? ''}`, receipts)
  }, texts.failed)

  return (
    <Card title={texts.title}>
      <p className="text-quiet">{texts.text}</p>
      <div>
        <Button variant="secondary" isBusy={isBusy} onClick={attempt}>
          {texts.download}
        </Button>
      </div>
    </Card>
  )
}
