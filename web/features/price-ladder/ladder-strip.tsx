import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { soldShare, wantedShare } from '#web/lib/format/token-amounts.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { LadderDrawing, LegendMark } from './ladder-drawing.tsx'
import { placeSteps, placeWanted } from './ladder-shape.ts'
import { useStageLines } from './stage-lines.ts'

interface Wanted {
  tokens: number
  /** What is spent, as text, such as $1,000. */
  spent: string
}

interface LadderStripProps {
  stages: readonly ListedStage[]
  symbol: string
  /**
   * A purchase being typed: how much it would take from the active stage, and for how many dollars.
   */
  wanted: Wanted | undefined
}

/** A part narrower than this in the box would look like a line. */
const SEEN_LEAST = 800

/** The sale as a thin drawing, with a description, and a purchase in it. */
export function LadderStrip({ stages, symbol, wanted }: LadderStripProps) {
  const { ladder } = useOfferTexts()
  const hereIndex = stages.findIndex(({ status }) => status === 'active' || status === 'paused')
  const lines = useStageLines(stages, symbol)
  if (stages.length === 0) return null
  const steps = placeSteps(stages)
  const [here, hereStep] = [stages[hereIndex], steps[hereIndex]]
  const wantedTo =
    here === undefined || hereStep === undefined || wanted === undefined
      ? null
      : placeWanted(here, hereStep, wanted.tokens)
  const isWantedSeen = wantedTo !== null && wantedTo - (hereStep?.soldTo ?? 0) >= SEEN_LEAST
  const label = [ladder.strip(symbol), lines[Math.max(0, hereIndex)]?.join(', ')].join(' ')
  return (
    <div className="flex flex-col gap-5">
      <div role="img" aria-label={label}>
        <LadderDrawing
          stages={stages}
          steps={steps}
          size="strip"
          readIndex={null}
          hereIndex={hereIndex}
          wantedTo={wantedTo}
          dots={[]}
        />
      </div>
      {here !== undefined && (
        <StripCaption stage={here} wanted={wanted} isWantedSeen={isWantedSeen} />
      )}
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
