import { useProject } from '#web/features/project/queries.ts'
import { ReferralCard } from '#web/features/referral/referral-card.tsx'
import { ReferralStats } from '#web/features/referral/referral-stats.tsx'
import { useSale, useTokenPrice } from '#web/features/stage/queries.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'

export function ReferralsScreen() {
  const { referrals } = useMessages()
  const sale = useSale().data
  const terms = sale?.status === 'ACTIVE' ? sale.stage.bonuses.referrals : null
  return (
    <div className="flex flex-col gap-6">
      <PageHeading>{referrals.heading}</PageHeading>
      <div className="grid items-start gap-6 xl:grid-cols-[2fr_1fr]">
        <ReferralCard terms={terms} />
        <ReferralStats tokenPrice={useTokenPrice()} symbol={useProject()?.symbol ?? ''} />
      </div>
    </div>
  )
}
