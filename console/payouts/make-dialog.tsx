import { useNavigate } from 'react-router'
import { refundBatchesContract } from '#contract/operator/refund-batches.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { StakeLine } from '#console/kit/values.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import { Coins } from '#console/purchases/amounts.tsx'
import { networkOf } from './network.ts'
import type { ReadyClaims } from './ready-claims.ts'

export function MakeDialog({ ready, onClose }: { ready: ReadyClaims; onClose: () => void }) {
  const navigate = useNavigate()
  const { rail, chain, claims, sums, usd } = ready
  const [sum, another] = sums

  return (
    <ActDialog
      title={`Make a batch on ${networkOf(chain, sums)}?`}
      confirm="Make the batch"
      done="The batch is made. Its files can be downloaded."
      endpoint={refundBatchesContract.makeRefundBatch}
      input={() => ({
        body: {
          rail,
          chain,
          // Only what was seen, and nothing that was approved meanwhile.
          claim_ids: claims.map(({ id }) => id),
          ...(sum !== undefined &&
            another === undefined && { payment_token_id: sum.payment_token.id }),
        },
      })}
      onActed={({ result }) => {
        if (result === null) return
        const { batch, left_out: leftOut } = result
        if (leftOut.length > 0) toast.error(leftOutText(leftOut.length))
        void navigate(`/refunds/batches/${batch.id}`)
      }}
      onClose={onClose}
    >
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Claims">{claims.length}</LabelledLine>
        {sums.map(({ payment_token: coin, pays }) => (
          <LabelledLine key={coin.id} label={`To be sent in ${coin.short_name}`}>
            <Coins amount={pays} payment_token={coin} />
          </LabelledLine>
        ))}
        <StakeLine usd={usd} />
      </dl>
      <p className="text-14 text-quiet">
        This sends nothing: you get files for your wallet, and sign there. Each claim is in one
        batch at a time.
      </p>
    </ActDialog>
  )
}

const leftOutText = (count: number) =>
  `${count} ${count === 1 ? 'claim was' : 'claims were'} left out: the money is no longer on ` +
  'its chain, or a purchase is held.'
