import { useState } from 'react'
import { useProofTexts } from './use-proof-texts.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions/button.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { loadReceipts, saveReceipts } from './queries.ts'

/** All receipts of the logged-in user, as one file. */
export function OwnReceipts({ symbol }: { symbol: string }) {
  const { own: texts } = useProofTexts()
  const { callAs } = useSession()
  const [isBusy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    try {
      const receipts = await loadReceipts(callAs)
      if (receipts.length === 0) toast.success(texts.nothing)
      else saveReceipts(`${symbol}-receipts-${receipts[0]?.snapshot ?? ''}`, receipts)
    } catch (error) {
      toast.failed(error, texts.failed)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Card title={texts.title}>
      <p className="text-quiet">{texts.text}</p>
      <div>
        <Button variant="secondary" isBusy={isBusy} onClick={() => void download()}>
          {texts.download}
        </Button>
      </div>
    </Card>
  )
}
