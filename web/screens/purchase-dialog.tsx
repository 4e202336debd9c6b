import { ReleaseLine } from '#web/features/offer/release-plan.tsx'
import type { useProject } from '#web/features/project/queries.ts'
import type { DialogSlots } from '#web/features/purchase/transactions/dialog-slots.ts'
import { TransactionDialog } from '#web/features/purchase/transactions/transaction-dialog.tsx'
import { useSale, useStages } from '#web/features/stage/queries.ts'
import { useSaleText } from '#web/messages/sale-text.ts'

interface PurchaseDialogProps {
  /** The transaction that is open; null where none is. */
  id: string | null
  project: NonNullable<ReturnType<typeof useProject>>
  onClose: () => void
}

/** The dialog of a transaction, with what other features know of it. */
export function PurchaseDialog({ id, ...rest }: PurchaseDialogProps) {
  return id === null ? null : <OpenDialog id={id} {...rest} />
}

function OpenDialog({ id, project, onClose }: PurchaseDialogProps & { id: string }) {
  const saleText = useSaleText(project)
  const { data: sale } = useSale()
  const { data: stages } = useStages()
  const terms = sale?.status === 'ACTIVE' ? sale.stage.bonuses.referrals : null
  const slots: DialogSlots = {
    releaseLine: project.vesting === null ? null : <ReleaseLine project={project} />,
    referral: terms !== null && terms.earn > 0 ? terms : null,
    stageNameOf(stageId) {
      const stage = stages?.find((each) => each.id === stageId)
      return stage === undefined ? null : saleText(stage.name)
    },
  }
  return <TransactionDialog id={id} project={project} slots={slots} onClose={onClose} />
}
