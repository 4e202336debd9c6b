import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { LinkButton } from '#web/ui/actions.tsx'
import { NoPromotionsDrawing } from '#web/ui/feedback/drawings.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { PromotionPoster } from './promotion-poster.tsx'
import { usePromotions } from './queries.ts'
import { usePromotionTexts } from '#web/messages/use-promotion-texts.ts'

interface PromotionGridProps {
  /** False once the sale is over, when nothing can be bought. */
  canBuy: boolean
  /** A text of the sale file in the language of the page. */
  textOf: (text: string) => string
}

export function PromotionGrid({ canBuy, textOf }: PromotionGridProps) {
  const promotions = usePromotionTexts()
  const query = usePromotions()
  const { data } = query
  if (query.isError) {
    return <ErrorState title={promotions.failed} query={query} />
  }
  const entries = data ?? []
  if (data !== undefined && entries.length === 0) {
    return (
      <EmptyState
        icon={<NoPromotionsDrawing />}
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
      {entries.map((promotion) => (
        <PromotionLink key={promotion.key} promotion={promotion} textOf={textOf} />
      ))}
    </div>
  )
}

type Promotion = NonNullable<ReturnType<typeof usePromotions>['data']>[number]

interface PromotionLinkProps extends Pick<PromotionGridProps, 'textOf'> {
  promotion: Promotion
}

/** One picture for each theme if there are two; CSS shows the right one. */
function PromotionLink({ promotion, textOf }: PromotionLinkProps) {
  const promotions = usePromotionTexts()
  const { key, image_blue_url: imageBlue, link_url: linkUrl, title, detail } = promotion
  const words = title === null ? null : { title: textOf(title), detail: detail && textOf(detail) }
  // The alt text says what the link does, which words over a picture do not; for a link to another
  // page they do.
  const alt = words === null || linkUrl === null ? promotions.alt(key) : ''
  return (
    <Link
      to={targetOf(promotion)}
      className="overflow-hidden rounded-card border border-hairline bg-raised transition-colors hover:border-accent"
    >
      <PromotionPoster
        src={promotion.image_url}
        size={promotion}
        words={words}
        alt={alt}
        className={imageBlue === null ? '' : 'theme-blue:hidden'}
      />
      {imageBlue !== null && (
        <PromotionPoster
          src={imageBlue}
          size={promotion}
          words={words}
          alt={alt}
          className="hidden theme-blue:grid"
        />
      )}
    </Link>
  )
}

/** A path on this site; two slashes would name another site. */
const PAGE = /^\/(?!\/)/

/** A page of the product if the promotion names one, or the purchase that it proposes. */
function targetOf({ link_url: url, buy_params: buyParams }: Promotion): string {
  if (url !== null && PAGE.test(url)) return url
  const query = new URLSearchParams(
    Object.entries(buyParams).map(([name, value]) => [name, String(value)]),
  )
  return `${paths.buy}?${query}`
}
