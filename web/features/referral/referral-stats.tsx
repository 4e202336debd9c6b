import { formatExact, formatUsdCents } from '#web/lib/format.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Figure } from '#web/ui/figure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useReferralStats } from './queries.ts'

interface ReferralStatsProps {
  /** Dollars for one token; null while it is not known. */
  tokenPrice: number | null
  symbol: string
}

/** How many friends registered, and what that earned in dollars. */
export function ReferralStats({ tokenPrice, symbol }: ReferralStatsProps) {
  const { referrals } = useMessages()
  const { data, isError, refetch, isFetching } = useReferralStats()
  return (
    <Card title={referrals.statsTitle}>
      {isError ? (
        <ErrorState
          title={referrals.statsFailed}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : data === undefined || tokenPrice === null ? (
        <Skeleton className="h-16" />
      ) : (
        <div className="grid grid-cols-2 gap-4">
          <Figure size="medium" label={referrals.referred} value={String(data.referred)} />
          <Figure
            size="medium"
            label={referrals.earned}
            value={formatUsdCents(data.earned_tokens * tokenPrice)}
            exact={`${formatExact(data.earned_tokens)} ${symbol}`}
          />
        </div>
      )}
    </Card>
  )
}
