import { PurchaseReleases } from '#web/features/offer/purchase-releases.tsx'
import { ReleaseLine } from '#web/features/offer/release-line.tsx'
import { firstReleaseAt } from '#web/features/offer/release-steps.ts'
import type { useProject } from '#web/features/project/queries.ts'
import type { DialogSlots } from '#web/features/purchase/transactions/dialog-slots.ts'
import { PurchaseReceipt } from '#web/features/proof/purchase-receipt.tsx'
import { TransactionDialog } from '#web/features/purchase/transactions/transaction-dialog.tsx'
import { useTransaction } from '#web/features/purchase/transactions/transaction-queries.ts'
import { useSale, useSaleStatus, useStages } from '#web/features/stage/queries.ts'
import { useSaleText } from '#web/messages/sale-text.ts'

export { Bought } from '#web/features/purchase/buy/bought.tsx'

interface PurchaseDialogProps {
  /** The transaction that is open; null if none is. */
  id: string | null
  project: NonNullable<ReturnType<typeof useProject>>
  onClose: () => void
}

/** The dialog of a transaction, with the parts from other features. */
export function PurchaseDialog({ id, ...rest }: PurchaseDialogProps) {
  return id === null ? null : <OpenDialog id={id} {...rest} />
}

function OpenDialog({ id, project, onClose }: PurchaseDialogProps & { id: string }) {
  const saleText = useSaleText(project)
  const { data: sale } = useSale()
  const { data: stages } = useStages()
  const status = useSaleStatus()
  const terms = sale?.status === 'ACTIVE' ? sale.stage.bonuses.referrals : null
  const { data: transaction } = useTransaction(id)
  const schedule = stages?.find((stage) => stage.id === transaction?.stage_id)?.vesting ?? null
  const slots: DialogSlots = {
    releaseLine: project.vesting && <ReleaseLine project={project} schedule={schedule} />,
    releasedFrom: firstReleaseAt(project.vesting, schedule),
    releases: transaction && (
      <PurchaseReleases project={project} schedule={schedule} tokens={transaction.tokens.total} />
    ),
    proof: <PurchaseReceipt purchaseId={id} />,
    referral: terms !== null && terms.earn > 0 ? terms : null,
    isOnSale: status === 'ACTIVE',
    stageNameOf(stageId) {
      const stage = stages?.find((each) => each.id === stageId)
      return stage === undefined ? null : saleText(stage.name)
    },
  }
  return <TransactionDialog id={id} project={project} slots={slots} onClose={onClose} />
}
