import { useProject } from '#web/features/project/queries.ts'
import { PromotionGrid } from '#web/features/promotion/promotion-grid.tsx'
import { useSale } from '#web/features/stage/queries.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { usePromotionTexts } from '#web/messages/use-promotion-texts.ts'

export function PromotionsScreen() {
  const promotions = usePromotionTexts()
  return (
    <div className="flex flex-col gap-6">
      <PageHeading>{promotions.heading}</PageHeading>
      <PromotionGrid
        canBuy={useSale().data?.status !== 'ENDED'}
        textOf={useSaleText(useProject())}
      />
    </div>
  )
}
