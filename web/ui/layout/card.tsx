import { useId, type ReactNode, type ComponentProps } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'
import { unbrokenSize } from '#web/ui/style/unbroken-size.ts'

interface CardProps {
  title?: ReactNode
  /** At the right of the title. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** One surface with a hairline. Do not put a card inside a card. */
export function Card({ title, aside, className, children }: CardProps) {
  const titleId = useId()
  const hasTitle = title !== undefined
  return (
    <section
      aria-labelledby={hasTitle ? titleId : undefined}
      className={classNames(
        'flex min-w-0 flex-col gap-4 rounded-card border border-hairline bg-surface p-4 sm:p-6',
        className,
      )}
    >
      {hasTitle && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id={titleId} className="text-16 font-strong">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}

interface ListProps {
  /** Names the list for screen readers. */
  label: string
  /** A grid, if the columns of all rows have to be as wide as the widest one. */
  className?: string
  children: ReactNode
}

/** Rows separated by hairlines. */
export function List({ label, className, children }: ListProps) {
  return (
    <ul aria-label={label} className={classNames('divide-y divide-hairline', className)}>
      {children}
    </ul>
  )
}

/** One row; lay out its content with a grid, which becomes a card's lines under 640 px. */
export function ListRow({ className, ...rest }: ComponentProps<'li'>) {
  return <li {...rest} className={classNames('min-h-16 py-3', className)} />
}

interface LabelledLineProps {
  label: ReactNode
  /** A heavier line, such as a total. */
  isStrong?: boolean
  children: ReactNode
}

/**
 * A name on the left and its value on the right, as in a summary, or below it if there is no room;
 * put them in a `<dl>`.
 */
export function LabelledLine({ label, isStrong = false, children }: LabelledLineProps) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 py-1">
      <dt className={classNames('flex-1 text-14', isStrong ? 'font-strong' : 'text-quiet')}>
        {label}
      </dt>
      <dd
        className={classNames(
          'tabular ml-auto text-right wrap-anywhere',
          isStrong && 'font-strong',
        )}
      >
        {children}
      </dd>
    </div>
  )
}

type FigureSize = 'poster' | 'large' | 'medium' | 'small'

interface FigureProps {
  /** The rounded value, as `lib/format` wrote it. */
  value: string
  unit?: string
  /** The exact value, for the title and for copying; the rounded one if left out. */
  exact?: string
  label?: ReactNode
  /** The largest it may be; a long value is written smaller, so that its unit stays beside it. */
  size?: FigureSize
  /** Within a `@container`: shrinks a medium one so that its digits stay together. */
  isFitted?: boolean
  /** A grey shape of the same size while the value is loading; or only its room. */
  as?: 'value' | 'skeleton' | 'room'
}

const looks = {
  // On a phone never wider than a card, even if the browser's text is set larger.
  poster: {
    value:
      'text-[length:min(2.4375rem,11vw)] leading-[1.1] sm:text-49 sm:leading-[1.05] xl:text-61 xl:leading-none',
    unit: 'text-20',
  },
  large: { value: 'text-31 sm:text-39', unit: 'text-16' },
  medium: { value: 'text-[length:min(1.5625rem,8vw)] leading-[1.2]', unit: 'text-14' },
  small: { value: 'text-16', unit: 'text-12' },
}

/** From this many characters on, a value with its unit does not fit the width of a phone. */
const POSTER_CHARACTERS_MOST = 11
const LARGE_CHARACTERS_MOST = 13
const MEDIUM_CHARACTERS_MOST = 16

/** The number a card is about, its unit smaller and quieter beside it. */
export function Figure(props: FigureProps) {
  const { value, unit, exact, label, size = 'large', isFitted = false, as = 'value' } = props
  const fitting = fittingSize(size, value.length)
  const look = looks[fitting]
  const parts = (
    <>
      <span
        className={classNames(look.value, 'min-w-0 font-display font-strong break-words')}
        {...(isFitted &&
          fitting === 'medium' && { style: { fontSize: unbrokenSize(value, '1.5625rem, 8vw') } })}
      >
        {value}
      </span>
      {unit !== undefined && (
        <span className={classNames(look.unit, 'font-medium whitespace-nowrap text-quiet')}>
          {unit}
        </span>
      )}
    </>
  )
  const row = classNames(
    'tabular flex max-w-full flex-wrap items-baseline gap-x-2',
    // Not only if the digits need it: in the fallback font they may still fit.
    isFitted && '@max-[15.5rem]:flex-col',
  )
  if (as !== 'value') {
    const shape = as === 'skeleton' && 'animate-pulse skeleton rounded-control'
    return (
      // Not the element of the value: browsers report one that changes like this as a layout shift.
      <div key={as} aria-hidden="true" className={classNames('w-fit max-w-full', shape)}>
        <div className={classNames(row, 'invisible')}>{parts}</div>
      </div>
    )
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {label !== undefined && <span className="text-14 text-quiet">{label}</span>}
      <data
        value={exact ?? value}
        title={[exact ?? value, unit].filter(Boolean).join(' ')}
        className={row}
      >
        {parts}
      </data>
    </div>
  )
}

function fittingSize(size: FigureSize, characters: number): FigureSize {
  if (characters > MEDIUM_CHARACTERS_MOST) return 'small'
  const isLarge = size === 'large' || size === 'poster'
  if (isLarge && characters > LARGE_CHARACTERS_MOST) return 'medium'
  return size === 'poster' && characters > POSTER_CHARACTERS_MOST ? 'large' : size
}
