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

interface FormatText {
  name: string
  /** What it is for, in a sentence. */
  what: string
  /** How it is used, each a sentence. */
  steps: readonly string[]
}

const COMPARE = 'Compare the number of payments and the sums with this page before anybody signs.'

/** Each file format of a batch: which wallet reads it, and how. */
const formatTexts: Record<PayoutFormat, FormatText> = {
  safe_csv: {
    name: 'Safe, by the app CSV Airdrop',
    what: 'For a Safe multisig. The app puts the whole list into one transaction.',
    steps: [
      'Open your Safe on this network, and in it the app CSV Airdrop. Load the file.',
      COMPARE,
      'Submit it, and let the owners of the Safe confirm and execute it.',
    ],
  },
  safe_transactions: {
    name: 'Safe, by the Transaction Builder',
    what: 'For a Safe multisig. Every transfer is shown as a call of its own.',
    steps: [
      'Open your Safe on this network, and in it the app Transaction Builder. Drop the file on it.',
      COMPARE,
      'Create and send the batch, and let the owners of the Safe confirm and execute it.',
    ],
  },
  sparrow: {
    name: 'Sparrow',
    what: 'A list for the wallet’s “Send to Many”, with amounts in satoshis.',
    steps: [
      'Set the bitcoin unit to sats in Sparrow’s settings. Then open Send to Many and load the file.',
      'Lines that cannot be read are left out without warning: compare the number of payments ' +
        'and the sum with this page.',
      'Create the transaction, sign it with your device, and broadcast it.',
    ],
  },
  electrum: {
    name: 'Electrum',
    what: 'Lines for “Pay to many”, with amounts in whole coins.',
    steps: [
      'Set the base unit to whole coins in Electrum’s preferences; it is thousandths at first.',
      'Open Pay to many, and paste the lines of the file. Compare the number of payments and the sum with this page.',
      'Sign the transaction and broadcast it.',
    ],
  },
  sendmany: {
    name: 'A node’s wallet, by sendmany',
    what: 'For Bitcoin Core, Litecoin Core or Dogecoin Core.',
    steps: [
      'Copy the file to the machine with the wallet, and check its SHA-256 there.',
      COMPARE,
      'Unlock the wallet and call sendmany once: its first parameter is "", the second the ' +
        'content of the file. It returns the hash of the transaction.',
    ],
  },
  psbt: {
    name: 'PSBT, unsigned',
    what:
      'For the wallet with the key that receives the sale’s payments: inputs, fee and change are ' +
      'in it.',
    steps: [
      'Open the file in that wallet, such as Sparrow, within the hour.',
      'Compare every output with this page; the one extra is the change, which stays yours.',
      'Sign it with your device, and broadcast it.',
    ],
  },
  csv: {
    name: 'A plain list',
    what: 'For any other wallet, or for paying one by one.',
    steps: [
      'Send each line: exactly its amount, to its address, on this network. You pay the network fees.',
      'The server finds on the chain what was sent. If a gateway sends it, name its transaction ' +
        'here.',
    ],
  },
}
