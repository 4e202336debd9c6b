import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { soldShare, wantedShare } from '#web/lib/format/token-amounts.ts'
import { useReader } from '#web/lib/use-reader.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { LadderDrawing, type LadderSize } from './ladder-drawing.tsx'
import { LadderLegend, LegendMark } from './ladder-legend.tsx'
import { BOX, placePurchases, placeSteps, placeWanted, stepAt } from './ladder-shape.ts'
import { LadderTable } from './ladder-table.tsx'
import { priceTexts, useStageLines } from './stage-lines.ts'

export interface Wanted {
  tokens: number
  /** What is spent, as text, such as $1,000. */
  spent: string
}

export interface PriceLadderProps {
  stages: readonly ListedStage[]
  symbol: string
  /** `large` has figures beside its steps, `card` fits beside a chart, and `strip` is thin. */
  size: LadderSize
  /** The buyer's own completed purchases, drawn as dots. */
  purchases?: readonly Transaction[]
  /**
   * A purchase being typed: how much it would take from the active stage, and for how many dollars.
   */
  wanted?: Wanted | undefined
}

/** A part narrower than this in the box would look like a line. */
const SEEN_LEAST = 800

/**
 * The sale as a drawing: width is tokens, height is price, filled is sold. Stages can be read with
 * the pointer or arrow keys, and all at once in a table; a strip is a picture with a description.
 */
export function PriceLadder(props: PriceLadderProps) {
  const { stages, symbol, size, purchases = [], wanted } = props
  const { ladder } = useOfferTexts()
  const hereIndex = stages.findIndex(({ status }) => status === 'active' || status === 'paused')
  const lines = useStageLines(stages, symbol)
  const reader = useReader(stages.length, Math.max(0, hereIndex))
  if (stages.length === 0) return null
  const steps = placeSteps(stages)
  const dots = placePurchases(stages, steps, purchases)
  const [here, hereStep] = [stages[hereIndex], steps[hereIndex]]
  const wantedTo =
    here === undefined || hereStep === undefined || wanted === undefined
      ? null
      : placeWanted(here, hereStep, wanted.tokens)
  const isWantedSeen = wantedTo !== null && wantedTo - (hereStep?.soldTo ?? 0) >= SEEN_LEAST
  const drawing = (
    <LadderDrawing
      stages={stages}
      steps={steps}
      size={size}
      readIndex={reader.isReading ? reader.index : null}
      hereIndex={hereIndex}
      wantedTo={wantedTo}
      dots={dots}
    />
  )
  if (size === 'strip') {
    const label = [ladder.strip(symbol), lines[Math.max(0, hereIndex)]?.join(', ')].join(' ')
    return (
      <div className="flex flex-col gap-5">
        <div role="img" aria-label={label}>
          {drawing}
        </div>
        {here !== undefined && (
          <StripCaption stage={here} wanted={wanted} isWantedSeen={isWantedSeen} />
        )}
      </div>
    )
  }
  return (
    <div className="@container flex min-w-0 flex-col gap-4">
      <LadderLegend
        pricedTokens={`${formatNumber(priceTexts(stages).tokens)} ${symbol}`}
        purchaseCount={dots.length}
        hasHere={hereIndex >= 0}
        isWanting={isWantedSeen}
        isToScale={steps.every(({ isToScale }) => isToScale)}
      />
      <div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={ladder.label(symbol)}
          aria-valuemin={1}
          aria-valuemax={stages.length}
          aria-valuenow={reader.index + 1}
          aria-valuetext={lines[reader.index]?.join(', ')}
          {...reader.handlers((share) => stepAt(steps, share * BOX))}
          className="cursor-crosshair [touch-action:pan-y] rounded-control outline-offset-8"
        >
          {drawing}
        </div>
        <ReadStage lines={lines} index={reader.index} />
      </div>
      <LadderTable stages={stages} symbol={symbol} isSeen={size === 'large'} />
    </div>
  )
}

interface StripCaptionProps {
  stage: ListedStage
  wanted: Wanted | undefined
  isWantedSeen: boolean
}

/** How much of the stage the purchase takes; until that is known, how much is already sold. */
function StripCaption({ stage, wanted, isWantedSeen }: StripCaptionProps) {
  const { ladder } = useOfferTexts()
  if (wanted === undefined) {
    return (
      <p className={CAPTION}>
        {ladder.soldOf(soldShare(stage.sold_tokens, stage.total_tokens), stage.name)}
      </p>
    )
  }
  const share = wantedShare(wanted.tokens, stage.total_tokens)
  return (
    <p data-wanted-share className={CAPTION}>
      {isWantedSeen && (
        <LegendMark>
          <rect y={2} width={12} height={12} className="fill-accent/55" />
        </LegendMark>
      )}
      <span>{ladder.wantedShare(wanted.spent, share, stage.name)}</span>
    </p>
  )
}

const CAPTION = 'tabular flex items-start gap-1.5 text-14 text-quiet'

/**
 * What is read of the stage, as high as the longest of them, so that nothing below it moves: on a
 * phone three lines, also in the face that comes first, in which they may be two.
 */
function ReadStage({ lines, index }: { lines: readonly (readonly string[])[]; index: number }) {
  return (
    <div
      aria-hidden="true"
      className="mt-3 grid text-14 @max-[24rem]:min-h-[3lh] [&>*]:col-start-1 [&>*]:row-start-1"
    >
      {lines.map(([name, ...facts], nth) => (
        <p key={name} className={classNames('tabular text-quiet', nth !== index && 'invisible')}>
          <span className="font-strong text-ink">{name}</span>
          {facts.map((fact) => `\u00a0· ${fact}`).join('')}
        </p>
      ))}
    </div>
  )
}
