import { Link } from 'react-router'
import { type CSSProperties, type SyntheticEvent, useState } from 'react'
import { paths } from '#web/lib/paths.ts'
import { usePromotionTexts } from '#web/messages/use-promotion-texts.ts'
import { LinkButton } from '#web/ui/actions.tsx'
import { NoPromotionsDrawing } from '#web/ui/feedback/drawings.tsx'
import { EmptyState, ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { usePromotions } from './queries.ts'

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

interface PromotionPosterProps {
  src: string
  /** Of the picture, in pixels. */
  size: { width: number; height: number }
  /** What is written on its left half; null if the picture says it itself. */
  words: { title: string; detail: string | null } | null
  /** What the link around it does; empty if the words say it. */
  alt: string
  className: string
}

type Ground = 'light' | 'dark'

const looks: Record<Ground, { title: string; detail: string }> = {
  light: { title: 'text-accent-ink', detail: 'text-accent-ink' },
  dark: { title: 'text-accent', detail: 'text-ink' },
}

/**
 * A picture with words over its empty left half, in colours that are readable there. It grows if
 * the words need more room than the picture is high.
 */
function PromotionPoster({ src, size, words, alt, className }: PromotionPosterProps) {
  const [ground, setGround] = useState<Ground>()
  const look = looks[ground ?? 'dark']
  return (
    <span className={classNames('@container grid [&>*]:[grid-area:1/1]', className)}>
      <img
        src={src}
        width={size.width}
        height={size.height}
        alt={alt}
        loading="lazy"
        decoding="async"
        onLoad={(event) => setGround(groundOf(event))}
        onError={() => setGround('dark')}
        className="size-full object-cover object-right"
      />
      {words !== null && (
        <span
          className={classNames(
            'flex w-[50%] flex-col justify-end gap-[2cqw] py-[6cqw] pl-[6cqw]',
            // The words are there from the start; they get their colour once the picture is loaded.
            ground === undefined && 'opacity-0',
          )}
        >
          <span
            style={titleSize(words.title)}
            className={classNames(
              '-ml-[0.03em] font-display leading-[0.95] font-strong',
              look.title,
            )}
          >
            {words.title}
          </span>
          {words.detail !== null && (
            <span
              className={classNames(
                'text-[max(0.875rem,3.4cqw)] leading-snug text-balance',
                look.detail,
              )}
            >
              {words.detail}
            </span>
          )}
        </span>
      )}
    </span>
  )
}

/** How wide a letter of the title is, in its own size. */
const LETTER_EM = 0.76
/** The room beside the drawing, and the largest letters, in hundredths of the picture's width. */
const ROOM = 43
const LARGEST = 19

/** As large as the longest word allows; several words share the height. */
function titleSize(title: string): CSSProperties {
  const words = title.split(' ')
  const longest = Math.max(...words.map((word) => word.length))
  const size = Math.min(words.length > 1 ? LARGEST * 0.7 : LARGEST, ROOM / (longest * LETTER_EM))
  return { fontSize: `${size.toFixed(2)}cqw` }
}

/** From this luminance on, dark letters have more contrast than light ones. */
const LIGHT_FROM = 0.179

/** Whether the half of the picture that the words stand on is light, by its mean colour. */
function groundOf({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): Ground {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d')
  if (context === null) return 'dark'
  const { naturalWidth, naturalHeight } = picture
  context.drawImage(picture, 0, 0, naturalWidth / 2, naturalHeight, 0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  const linear = (channel: number) => (channel / 255) ** 2.2
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  return luminance >= LIGHT_FROM ? 'light' : 'dark'
}
