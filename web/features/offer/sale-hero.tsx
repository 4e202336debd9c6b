import type { ReactNode } from 'react'
import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'
import { PlainLink } from '#web/ui/actions.tsx'
import { AccentPanel } from '#web/ui/layout/accent-panel.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { SaleClock } from './sale-clock.tsx'
import { type SaleMoment, saleMomentOf } from './sale-moment.ts'
import { SoftCapLine } from './soft-cap-line.tsx'
import { useSaleWords } from './use-sale-words.ts'

/** The ids of the price ladder and the release plan on the sale page. */
export const LADDER_ID = 'stages'
export const RELEASE_ID = 'release'

interface SaleHeroProps {
  project: Project
  stages: readonly ListedStage[]
  heading: string
  /** What can be done here: by visitors and by those who are logged in. */
  actions: ReactNode
}

/** The head of the sale page: what is sold, what it costs now, and until when. */
export function SaleHero({ project, stages, heading, actions }: SaleHeroProps) {
  const saleText = useSaleText(project)
  const moment = saleMomentOf(stages)
  return (
    <AccentPanel
      aria-label={heading}
      className="flex flex-col gap-10 overflow-hidden border-b-0 p-5 sm:p-10 xl:gap-14 xl:p-14"
    >
      <div className="flex flex-col gap-1">
        <PageHeading>{heading}</PageHeading>
        {/* Broken into two lines if one is too short, so that no separator is left at the end of
            the first. */}
        <p className="flex flex-wrap overflow-hidden text-20 text-quiet">
          <span className="mr-5">{saleText(project.tagline)}</span>
          <span className="-ml-5 before:inline-block before:w-5 before:text-center before:content-['·']">
            {saleText(project.launch_notice)}
          </span>
        </p>
      </div>
      {moment === null ? (
        <div className="flex flex-wrap gap-3">{actions}</div>
      ) : (
        <Moment project={project} stages={stages} moment={moment} actions={actions} />
      )}
    </AccentPanel>
  )
}

interface MomentProps extends Omit<SaleHeroProps, 'heading'> {
  moment: SaleMoment
}

function Moment({ project, stages, moment, actions }: MomentProps) {
  const texts = useSalePageTexts()
  const { state, price, outlook, supply, until, soldPart } = useSaleWords(project, stages, moment)
  // Once nothing is sold any more, the remaining question is when tokens are released.
  const isReleaseNext = moment.status === 'ended' && project.vesting !== null
  return (
    <div className="@container">
      <div className="flex items-end justify-between gap-10">
        <div className="flex min-w-0 flex-col gap-6">
          <div className="flex flex-col gap-2">
            <p className={price === null ? 'font-display text-39 font-strong' : 'font-medium'}>
              {state}
            </p>
            {price !== null && (
              <data
                value={price.exact}
                title={price.exact}
                className="tabular flex flex-wrap items-baseline gap-x-4"
              >
                <span className="font-display text-31 font-strong @min-[11rem]:text-49 @min-[17rem]:text-61 @min-[34rem]:text-76 @min-[52rem]:text-98">
                  {price.text}
                </span>
                <span className="text-20 sm:text-25">{price.unit}</span>
              </data>
            )}
            <p className="max-w-[60ch] text-balance">{outlook ?? texts.endedText}</p>
            <p>
              <PlainLink
                href={`#${isReleaseNext ? RELEASE_ID : LADDER_ID}`}
                className="inline-block py-0.5"
              >
                {isReleaseNext ? texts.release.title : texts.howPriceIsSet}
              </PlainLink>
            </p>
          </div>
          <div className="flex flex-wrap gap-3">{actions}</div>
          <div className="text-14">
            <p className="tabular">{supply}</p>
            {until !== null && <SaleClock {...until} />}
            <SoftCapLine project={project} isEnded={moment.status === 'ended'} />
          </div>
        </div>
        {/* Its posts stand on the edge of the panel. */}
        <Mark
          fill={soldPart}
          className="-mr-[4.75cqw] -mb-[calc(2.5rem+3.56cqw+2px)] hidden w-[38cqw] shrink-0 @min-[36rem]:block xl:-mb-[calc(3.5rem+3.56cqw+2px)]"
        />
      </div>
    </div>
  )
}
