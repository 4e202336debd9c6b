import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import { formatExact, formatNumber, formatUsdCents } from '#web/lib/format/format.ts'
import { usdValueOf } from '#web/lib/format/token-amounts.ts'
import { useReferralTexts } from '#web/messages/use-referral-texts.ts'
import { ErrorState, Skeleton, SkeletonLines } from '#web/ui/feedback/placeholders.tsx'
import { Card, Figure } from '#web/ui/layout/card.tsx'
import { useReferralStats } from './queries.ts'

interface ReferralStatsProps {
  /** Dollars for one token; null while it is not known. */
  tokenPrice: number | null
  symbol: string
}

/**
 * How many friends registered, and what that earned in dollars, or in tokens if there is no price.
 */
export function ReferralStats({ tokenPrice, symbol }: ReferralStatsProps) {
  const referrals = useReferralTexts()
  const query = useReferralStats()
  const { data } = query
  return (
    <Card title={referrals.statsTitle}>
      {query.isError ? (
        <ErrorState title={referrals.statsFailed} query={query} />
      ) : data === undefined ? (
        <>
          <Skeleton className="h-[3.79rem] sm:h-[4.244rem]" />
          <p className="min-h-[4.5rem]">
            <SkeletonLines>{referrals.nobodyYet}</SkeletonLines>
          </p>
        </>
      ) : (
        <>
          <div className="flex flex-wrap gap-x-8 gap-y-4">
            <Figure label={referrals.referred} value={formatNumber(data.referred)} />
            <Figure
              label={referrals.earned}
              exact={`${formatExact(data.earned_tokens)} ${symbol}`}
              {...(tokenPrice === null
                ? { value: formatNumber(data.earned_tokens), unit: symbol }
                : {
                    value: formatUsdCents(
                      formatDecimal(usdValueOf(data.earned_tokens, tokenPrice), USD_DECIMALS),
                    ),
                  })}
            />
          </div>
          <p className="min-h-[4.5rem] text-quiet">
            {data.referred === 0 ? referrals.nobodyYet : referrals.someCame}
          </p>
        </>
      )}
    </Card>
  )
}
