import { useProject } from '#web/features/project/queries.ts'
import { ReferralCard } from '#web/features/referral/referral-card.tsx'
import { ReferralStats } from '#web/features/referral/referral-stats.tsx'
import { ReferralSteps } from '#web/features/referral/referral-steps.tsx'
import { useSale, useTokenPrice } from '#web/features/stage/queries.ts'
import type { SaleState } from '#web/features/stage/sale-state.ts'
import { useReferralTexts } from '#web/messages/use-referral-texts.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function ReferralsScreen() {
  const referrals = useReferralTexts()
  const sale = useSale()
  const terms = termsOf(sale.data)
  const failed = sale.isError && sale.data === undefined ? sale : null
  return (
    <div className="flex flex-col gap-6">
      <PageHeading>{referrals.heading}</PageHeading>
      <ReferralCard terms={terms} failed={failed} />
      <div className="grid gap-6 xl:grid-cols-[1fr_2fr]">
        <ReferralStats tokenPrice={useTokenPrice()} symbol={useProject()?.symbol ?? ''} />
        {terms !== null && failed === null && <ReferralSteps terms={terms} />}
      </div>
    </div>
  )
}

/** What the active stage offers; null if there is none or it offers nothing. */
function termsOf(sale: SaleState | undefined) {
  if (sale === undefined) return undefined
  const terms = sale.status === 'ACTIVE' ? sale.stage.bonuses.referrals : null
  return terms !== null && terms.earn > 0 ? terms : null
}
