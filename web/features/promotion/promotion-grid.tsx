import { Megaphone } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { LinkButton } from '#web/ui/actions/links.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { usePromotions } from './queries.ts'

interface PromotionGridProps {
  /** False once the sale is over, when nothing else is to be had either. */
  canBuy: boolean
}

/** The promotion images; each leads to the purchase that it proposes. */
export function PromotionGrid({ canBuy }: PromotionGridProps) {
  const { promotions } = useMessages()
  const { data, isError, refetch, isFetching } = usePromotions()
  if (isError) {
    return (
      <ErrorState
        title={promotions.failed}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  }
  const entries = Object.entries(data ?? {})
  if (data !== undefined && entries.length === 0) {
    return (
      <EmptyState
        icon={<Megaphone size={24} />}
        title={promotions.empty}
        action={canBuy && <LinkButton to={paths.buy}>{promotions.emptyAction}</LinkButton>}
      >
        {canBuy ? promotions.emptyText : undefined}
      </EmptyState>
    )
  }
  return (
    <div className={classNames('grid gap-6', entries.length !== 1 && 'md:grid-cols-2')}>
      {data === undefined &&
        ['one', 'two'].map((key) => <Skeleton key={key} className="aspect-[3/2] rounded-card" />)}
      {entries.map(([key, { image, buy_params }]) => (
        <Link
          key={key}
          to={`${paths.buy}?${queryOf(buy_params)}`}
          className="overflow-hidden rounded-card border border-hairline transition-colors hover:border-accent"
        >
          <img
            src={`data:image/png;base64,${image}`}
            alt={promotions.alt(key)}
            className="w-full"
          />
        </Link>
      ))}
    </div>
  )
}

function queryOf(buyParams: Record<string, string | number>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(buyParams).map(([name, value]) => [name, String(value)]),
  )
}
