import type { ApprovalRecord } from '#contract/operator/approvals.ts'
import { networkName } from '#domain/chains/chain.ts'
import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { CopiedAddress, DateLine, Labelled, PersonLink } from '#console/kit/values.tsx'
import { assetName, Transaction } from '#console/purchases/amounts.tsx'
import { reasons } from '#console/refunds/refund-table.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'

interface RefundFactsProps {
  refund: NonNullable<ApprovalRecord['refund']>
  input: ApprovalRecord['input']
}

/** Whom a refund is owed to, for what, and how it was sent, as it was paid by hand. */
export function RefundFacts({ refund, input }: RefundFactsProps) {
  const { user, payment_token: coin, purchase_id: purchaseId } = refund
  const { amount, hash } = input
  return (
    <>
      <dl className="flex flex-col divide-y divide-hairline">
        <LabelledLine label="Said to be sent" isStrong>
          {`${String(amount)} ${assetName(coin)}`}
        </LabelledLine>
        <LabelledLine label="Network">
          {coin === null ? refund.chain : networkName(coin)}
        </LabelledLine>
        {coin === null && refund.asset !== null && (
          <LabelledLine label="Token">{refund.asset}</LabelledLine>
        )}
        <LabelledLine label="Owed to">
          <PersonLink user={user} />
        </LabelledLine>
        <LabelledLine label="For purchase">
          <TextLink to={`/purchases/${purchaseId}`}>{purchaseNumber(purchaseId)}</TextLink>
        </LabelledLine>
        <LabelledLine label="Why">{reasons[refund.reason]}</LabelledLine>
        <DateLine label="Owed since" date={refund.since_date} />
      </dl>
      <Labelled label="Transaction named as the refund">
        <Transaction hash={String(hash)} url={refund.sent_explorer_url} />
      </Labelled>
      <Labelled label="Received in the transaction">
        <Transaction hash={refund.receipt_hash} url={refund.receipt_explorer_url} />
      </Labelled>
      <CopiedAddress label="Received at the address" value={refund.address} />
    </>
  )
}
