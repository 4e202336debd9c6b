import type { ListedStage } from '#contract/sale-page-shapes.ts'
import type { Project } from '#contract/shapes.ts'
import { paths } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePanelTexts } from '#web/messages/use-sale-panel-texts.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { AccentPanel } from '#web/ui/layout/accent-panel.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { SaleClock } from './sale-clock.tsx'
import { saleMomentOf } from './sale-moment.ts'
import { useSaleWords } from './use-sale-words.ts'

export interface SalePanelProps {
  project: Project
  stages: readonly ListedStage[]
}

/**
 * The state of the sale, beside a form for visitors: a panel on wide windows, a strip on others.
 * Nothing for a sale without stages.
 */
export function SalePanel(props: SalePanelProps) {
  const moment = saleMomentOf(props.stages)
  return moment === null ? null : <Panel {...props} moment={moment} />
}

function Panel({
  project,
  stages,
  moment,
}: SalePanelProps & { moment: NonNullable<ReturnType<typeof saleMomentOf>> }) {
  const texts = useSalePanelTexts()
  const saleText = useSaleText(project)
  const { state, price, outlook, supply, until, soldPart } = useSaleWords(project, stages, moment)
  return (
    <>
      <AccentPanel className="flex items-start gap-3 p-4 pb-2 text-14 lg:hidden">
        <Mark fill={soldPart} className="-mt-1.5 -ml-2 size-14 shrink-0" />
        <p className="min-w-0">
          <span className="block font-display text-16 font-strong">
            {texts.heading(project.name)}
          </span>
          {price !== null && (
            <span className="tabular block font-medium" title={price.exact}>
              {price.text} {price.unit}
            </span>
          )}
          <span className="block">{state}</span>
          <TextLink to={paths.info} className="inline-block py-2.5">
            {texts.more}
          </TextLink>
        </p>
      </AccentPanel>
      <AccentPanel
        aria-label={texts.label}
        className="hidden min-h-136 flex-col gap-8 p-10 lg:flex xl:p-12"
      >
        <div className="flex items-center gap-4">
          <Mark fill={soldPart} className="-ml-3 size-24 shrink-0" />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="font-display text-20 font-strong text-balance">
              {texts.heading(project.name)}
            </p>
            <p className="text-14 text-quiet">{saleText(project.tagline)}</p>
          </div>
        </div>
        <div className="mt-auto flex flex-col gap-4">
          <p className="font-medium">{state}</p>
          {price !== null && (
            <data
              value={price.exact}
              title={price.exact}
              className="tabular flex flex-wrap items-baseline gap-x-3"
            >
              <span className="font-display text-61 font-strong xl:text-76">{price.text}</span>
              <span className="text-20">{price.unit}</span>
            </data>
          )}
          {outlook !== null && <p className="max-w-[36ch] text-balance">{outlook}</p>}
        </div>
        <div className="flex flex-col gap-1 border-t border-hairline pt-6">
          <p className="tabular">{supply}</p>
          {until !== null && <SaleClock {...until} />}
          <p className="mt-3">
            <TextLink to={paths.info} className="inline-block py-2.5">
              {texts.more}
            </TextLink>
          </p>
        </div>
      </AccentPanel>
    </>
  )
}
