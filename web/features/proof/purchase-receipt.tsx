import { purchaseNumber } from '#domain/settlement/purchase-number.ts'
import { paths } from '#web/lib/paths.ts'
import { useProofTexts } from './use-proof-texts.ts'
import { SmallButton, TextLink } from '#web/ui/actions.tsx'
import { saveReceipts, useReceipt } from './queries.ts'

/** The receipt of one purchase, once it is in a snapshot; nothing before. */
export function PurchaseReceipt({ purchaseId }: { purchaseId: string }) {
  const { receipt: texts } = useProofTexts()
  const receipt = useReceipt(purchaseId)
  if (receipt === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-hairline pt-4 text-14">
      <span className="text-quiet">{texts.text(receipt.snapshot)}</span>
      <SmallButton onClick={() => saveReceipts(`proof-${purchaseNumber(purchaseId)}`, receipt)}>
        {texts.download}
      </SmallButton>
      <TextLink to={paths.proof}>{texts.check}</TextLink>
    </div>
  )
}
