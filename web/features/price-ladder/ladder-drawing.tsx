import type { ReactNode } from 'react'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import { formatTokensCompact } from '#web/lib/format/token-amounts.ts'
import { useLanguage } from '#web/messages/language.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { BOX, heightAt, type LadderPoint, type LadderStep } from './ladder-shape.ts'
import { priceTexts } from './stage-lines.ts'

type LadderSize = 'large' | 'card' | 'strip'

interface LadderDrawingProps {
  stages: readonly ListedStage[]
  steps: readonly LadderStep[]
  size: LadderSize
  /** The stage that is being read; null if none is. */
  readIndex: number | null
  /** The stage that the sale has reached; -1 if it is in none. */
  hereIndex: number
  /** Where the purchase being typed would end. */
  wantedTo: number | null
  dots: readonly (LadderPoint & { id: string })[]
}

const heights: Record<LadderSize, string> = {
  large: 'h-52 @2xl:h-80',
  card: 'h-36 @xl:h-52',
  strip: 'h-9',
}

/**
 * Positions are attributes in percent: the page's policy forbids styles in what the server sends.
 * The steps are drawn in a stretched box; strokes, dots and letters keep their shape.
 */
const percent = (part: number) => `${part / (BOX / 100)}%`

export function LadderDrawing(props: LadderDrawingProps) {
  const { stages, steps, size, readIndex, hereIndex, wantedTo, dots } = props
  const here = steps[hereIndex]
  return (
    <div
      aria-hidden="true"
      className={classNames(size === 'large' ? 'pt-12' : size === 'card' && '@xl:pt-10')}
    >
      <svg
        className={classNames(
          'block w-full overflow-visible forced-color-adjust-none',
          heights[size],
        )}
      >
        <svg
          viewBox={`0 0 ${BOX} ${BOX}`}
          preserveAspectRatio="none"
          width="100%"
          height="100%"
          overflow="visible"
        >
          {steps.map((step, index) => (
            <Step
              key={stages[index]?.id}
              step={step}
              isHere={index === hereIndex}
              isRead={index === readIndex}
              wantedTo={index === hereIndex ? wantedTo : null}
            />
          ))}
        </svg>
        {size !== 'strip' && <PriceLabels stages={stages} steps={steps} size={size} />}
        {here !== undefined && (
          <svg x={percent(here.soldTo)} y="100%" overflow="visible">
            <path d="M0 2l6 10h-12z" className="fill-ink forced-colors:fill-[CanvasText]" />
          </svg>
        )}
        {dots.map(({ id, x, y }) => (
          <circle
            key={id}
            cx={percent(x)}
            cy={percent(BOX - y)}
            r={size === 'strip' ? 4 : 6}
            strokeWidth={2}
            className="fill-ink stroke-ground forced-colors:fill-[CanvasText] forced-colors:stroke-[Canvas]"
          />
        ))}
      </svg>
      {size !== 'strip' && (
        <StageLabels stages={stages} steps={steps} hereIndex={hereIndex} size={size} />
      )}
    </div>
  )
}

interface StepProps {
  step: LadderStep
  isHere: boolean
  isRead: boolean
  wantedTo: number | null
}

function Step({ step, isHere, isRead, wantedTo }: StepProps) {
  const { left, right, soldTo, isToScale } = step
  return (
    <g>
      <polygon
        points={cut(step, left, right)}
        className={classNames(
          'forced-colors:fill-[Canvas]',
          isRead ? 'fill-hairline' : isHere ? 'fill-accent/14' : 'fill-raised',
        )}
      />
      {soldTo > left && <polygon points={cut(step, left, soldTo)} className="fill-accent" />}
      {wantedTo !== null && wantedTo > soldTo && (
        <polygon points={cut(step, soldTo, wantedTo)} className="fill-accent/55" />
      )}
      <polygon
        points={cut(step, left, right)}
        fill="none"
        strokeWidth={isRead ? 2 : 1}
        strokeDasharray={isToScale ? undefined : '4 3'}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className={classNames(isRead ? 'stroke-ink' : isHere ? 'stroke-accent' : 'stroke-edge')}
      />
    </g>
  )
}

/** The corners of a step's part between two places, in a box whose y runs down. */
function cut(step: LadderStep, from: number, to: number): string {
  return [
    [from, BOX],
    [from, BOX - heightAt(step, from)],
    [to, BOX - heightAt(step, to)],
    [to, BOX],
  ]
    .map((corner) => corner.join(','))
    .join(' ')
}

interface LabelsProps {
  stages: readonly ListedStage[]
  steps: readonly LadderStep[]
}

const LABEL_HEIGHT = 40

/** The prices above the steps that are wide enough for them; the others are shown when read. */
function PriceLabels({ stages, steps, size }: LabelsProps & { size: LadderSize }) {
  const { rangeOf } = priceTexts(stages)
  return stages.map((stage, index) => {
    const step = steps[index]
    if (step === undefined) return null
    return (
      <foreignObject
        key={stage.id}
        x={percent(step.left)}
        y={percent(BOX - Math.max(step.from, step.to))}
        width={percent(step.right - step.left)}
        height={LABEL_HEIGHT}
        transform={`translate(0 -${LABEL_HEIGHT})`}
        overflow="visible"
        className={classNames(size === 'card' && 'hidden @xl:block')}
      >
        <div className="@container flex h-full flex-col justify-end">
          <span className="tabular hidden pb-2.5 text-12 @min-[2.75rem]:block @min-[5rem]:text-14">
            {rangeOf(stage)}
          </span>
        </div>
      </foreignObject>
    )
  })
}

/** The names below the steps, a number if a name does not fit, and the number of tokens. */
function StageLabels({
  stages,
  steps,
  hereIndex,
  size,
}: LabelsProps & { hereIndex: number; size: LadderSize }) {
  const { language } = useLanguage()
  return (
    <svg className={classNames('mt-4 block w-full', size === 'large' ? 'h-11' : 'h-6')}>
      {stages.map((stage, index) => {
        const step = steps[index]
        if (step === undefined) return null
        return (
          <foreignObject
            key={stage.id}
            x={percent(step.left)}
            y="0"
            width={percent(step.right - step.left)}
            height="100%"
          >
            <div className="@container text-12">
              <span
                className={classNames(
                  'hidden truncate @min-[3.5rem]:block @min-[5rem]:text-14',
                  index === hereIndex ? 'font-strong text-ink' : 'font-medium text-quiet',
                )}
              >
                {stage.name}
              </span>
              <span
                className={classNames(
                  'tabular hidden @min-[1rem]:block @min-[3.5rem]:hidden',
                  index === hereIndex ? 'font-strong text-ink' : 'text-quiet',
                )}
              >
                {index + 1}
              </span>
              {size === 'large' && (
                <span className="tabular hidden truncate text-quiet @min-[3.5rem]:block">
                  {formatTokensCompact(stage.total_tokens, language)}
                </span>
              )}
            </div>
          </foreignObject>
        )
      })}
    </svg>
  )
}

/** A small picture of a part of the drawing, before the words for it. */
export function LegendMark({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 12 16"
      aria-hidden="true"
      className="mt-[0.25em] h-[1em] w-[0.75em] shrink-0 self-start forced-color-adjust-none forced-colors:[--ink:CanvasText]"
    >
      {children}
    </svg>
  )
}
