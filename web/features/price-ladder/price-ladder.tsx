import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Transaction } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { useReader } from '#web/lib/use-reader.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { LadderDrawing } from './ladder-drawing.tsx'
import { LadderLegend } from './ladder-legend.tsx'
import { BOX, placePurchases, placeSteps, stepAt } from './ladder-shape.ts'
import { LadderTable } from './ladder-table.tsx'
import { priceTexts, useStageLines } from './stage-lines.ts'

interface PriceLadderProps {
  stages: readonly ListedStage[]
  symbol: string
  /** `large` has figures beside its steps, and `card` fits beside a chart. */
  size: 'large' | 'card'
  /** The buyer's own completed purchases, drawn as dots. */
  purchases?: readonly Transaction[]
}

/**
 * The sale as a drawing: width is tokens, height is price, filled is sold. Stages can be read with
 * the pointer or arrow keys, and all at once in a table.
 */
export function PriceLadder(props: PriceLadderProps) {
  const { stages, symbol, size, purchases = [] } = props
  const { ladder } = useOfferTexts()
  const hereIndex = stages.findIndex(({ status }) => status === 'active' || status === 'paused')
  const lines = useStageLines(stages, symbol)
  const reader = useReader(stages.length, Math.max(0, hereIndex))
  if (stages.length === 0) return null
  const steps = placeSteps(stages)
  const dots = placePurchases(stages, steps, purchases)
  return (
    <div className="@container flex min-w-0 flex-col gap-4">
      <LadderLegend
        pricedTokens={`${formatNumber(priceTexts(stages).tokens)} ${symbol}`}
        purchaseCount={dots.length}
        hasHere={hereIndex >= 0}
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
          <LadderDrawing
            stages={stages}
            steps={steps}
            size={size}
            readIndex={reader.isReading ? reader.index : null}
            hereIndex={hereIndex}
            wantedTo={null}
            dots={dots}
          />
        </div>
        <ReadStage lines={lines} index={reader.index} />
      </div>
      <LadderTable stages={stages} symbol={symbol} isSeen={size === 'large'} />
    </div>
  )
}

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
