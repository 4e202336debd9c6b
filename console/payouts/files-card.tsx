import { useState } from 'react'
import { Download } from 'lucide-react'
import { type RefundBatchRecord, refundBatchesContract } from '#contract/operator/refund-batches.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import { CopiedHash } from '#console/kit/values.tsx'
import { useMay } from '#console/session/self.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { SmallButton } from '#web/ui/actions.tsx'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { formatTexts } from './format-texts.ts'

export function FilesCard({ batch }: { batch: RefundBatchRecord }) {
  const mayPay = useMay('refunds.pay')
  return (
    <Card title="Files for your wallet">
      <p className="text-14 text-quiet">
        Use one of them, once. What was signed can still be sent, even if the batch is cancelled
        here.
      </p>
      {mayPay ? (
        <div className="flex flex-col divide-y divide-hairline">
          {batch.formats.map((format, nth) => (
            <Disclosure key={format} title={formatTexts[format].name} isOpenAtFirst={nth === 0}>
              <File batchId={batch.id} format={format} />
            </Disclosure>
          ))}
        </div>
      ) : (
        <p className="text-quiet">Finance downloads them.</p>
      )}
    </Card>
  )
}

function File({ batchId, format }: { batchId: string; format: PayoutFormat }) {
  const { name, what, steps } = formatTexts[format]
  const [fault, setFault] = useState<string>()
  const [saved, setSaved] = useState<{ name: string; note: string; sha256: string }>()
  const { isBusy, attempt } = useAttempt(
    async () => {
      setFault(undefined)
      const params = { id: batchId, format }
      const file = await call(refundBatchesContract.getRefundBatchFile, { params })
      saveFile(file.name, file.text, file.media_type)
      setSaved(file)
    },
    (error) => setFault(messageOf(error, 'The server does not answer. Try it again.')),
  )

  return (
    <div className="flex flex-col items-start gap-3 pb-4 pl-7 text-14">
      <p>{what}</p>
      <ol className="flex list-decimal flex-col gap-1 pl-5 text-quiet">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <SmallButton isBusy={isBusy} aria-label={`Download: ${name}`} onClick={attempt}>
        <Download size={16} />
        Download
      </SmallButton>
      <FieldError id={`file-${format}`} error={fault} keepsLine={false} />
      {saved !== undefined && (
        <div className="flex w-full flex-col gap-2">
          <p role="status">{saved.note}</p>
          <CopiedHash label={`SHA-256 of ${saved.name}`} value={saved.sha256} />
        </div>
      )}
    </div>
  )
}
