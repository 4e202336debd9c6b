import { useState } from 'react'
import { operatorContract } from '#contract/operator/operations.ts'
import type { OperatorRefund } from '#contract/operator/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { assetName } from '#console/purchases/amounts.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'

/** Says what to send and where, and records the transaction that sent it. */
export function PayDialog({ refund, onClose }: { refund: OperatorRefund; onClose: () => void }) {
  const { payment_token: coin, amount } = refund
  const { valueOf, field, refuse } = useFields({ hash: '' })
  const [isShared, setShared] = useState(false)
  return (
    <ActDialog
      title="Mark this refund as paid"
      confirm="Mark as paid"
      done="The refund is marked as paid, and the buyer is told by mail."
      endpoint={operatorContract.payRefund}
      input={() => ({
        params: { id: refund.receipt_id },
        body: { hash: valueOf('hash'), amount, shared: isShared },
      })}
      onRefused={refuse}
      onClose={onClose}
    >
      <CopyField label="Send exactly" value={amount}>
        <span className="tabular font-strong">
          {amount} {assetName(coin)}
          {coin !== null && ` on ${networkName(coin)}`}
        </span>
      </CopyField>
      <p className="text-14 text-quiet">
        Ask the buyer for an address: the one that the payment came from often belongs to an
        exchange, not to them. Send the money from a wallet of yours (you pay the fees), then enter
        the hash here. The server does not know the buyer’s address, so it cannot check the
        transaction: look it up on its chain first. The mark cannot be removed.
      </p>
      <TextField
        label="Hash of the transaction that paid it back"
        required
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        className="font-mono text-14"
        {...field('hash')}
      />
      <Checkbox
        label="The same transaction has paid another refund too"
        keepsErrorLine={false}
        checked={isShared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </ActDialog>
  )
}
