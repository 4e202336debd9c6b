import { useState } from 'react'
import { type RefundBatch, refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { gateways } from './ready-claims.ts'

export function BatchActs({ batch }: { batch: RefundBatch }) {
  const mayPay = useMay('refunds.pay')
  const [open, setOpen] = useState<'name' | 'cancel'>()
  const isOver = batch.state === 'cancelled' && gateways.has(batch.rail)
  if (!mayPay || batch.state === 'confirmed' || isOver) return null
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen('name')}>
        Name the transaction
      </Button>
      {batch.state === 'open' && (
        <Button variant="danger" onClick={() => setOpen('cancel')}>
          Cancel the batch
        </Button>
      )}
      {open === 'name' && <NameDialog batch={batch} onClose={close} />}
      {open === 'cancel' && <CancelDialog batch={batch} onClose={close} />}
    </div>
  )
}

interface DialogProps {
  batch: RefundBatch
  onClose: () => void
}

function NameDialog({ batch: { id, named_hash: named }, onClose }: DialogProps) {
  const { valueOf, field, refuse } = useFields({ hash: named ?? '' })
  return (
    <ActDialog
      title="Name the transaction that pays the batch"
      confirm="Name it"
      done="It is named. The page of the batch says what it is found to pay."
      endpoint={refundBatchesContract.nameRefundBatchHash}
      input={() => ({ params: { id }, body: { hash: valueOf('hash') } })}
      onRefused={refuse}
      onClose={onClose}
    >
      <p className="text-14 text-quiet">
        The server usually finds the transaction by itself. Name it if it does not: for example if a
        wallet other than the treasury, or other than the one of the PSBT, sends it, or after you
        have replaced it with one that has a higher fee. Once you name one, only named ones count:
        name each of them. Name what had sent a batch before it was cancelled too, within 30 days:
        until it is seen, the next file of the same claims warns of it. If a gateway pays and no
        chain is read, naming it records the batch as paid, for good.
      </p>
      <TextField
        label="Hash of the transaction"
        required
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className="font-mono text-14"
        {...field('hash')}
      />
    </ActDialog>
  )
}

function CancelDialog({ batch: { id }, onClose }: DialogProps) {
  return (
    <ActDialog
      title={`Cancel batch ${id}?`}
      confirm="Cancel the batch"
      dismiss="Keep it"
      isDangerous
      asksReason
      done="The batch is cancelled. Its claims can be put into another one."
      endpoint={refundBatchesContract.cancelRefundBatch}
      input={(reason) => ({ params: { id }, body: { reason } })}
      onClose={onClose}
    >
      <Banner tone="warning">
        Anyone who has its file can still sign and send it. Make sure that nobody has and nobody
        will: reject it in your multisig and delete the files. Otherwise buyers are paid twice.
        Coins that a Safe sends, such as ETH and BNB, leave no trace that the server could find:
        look into the Safe first.
      </Banner>
    </ActDialog>
  )
}
