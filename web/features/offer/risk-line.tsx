import type { Project } from '#contract/shapes.ts'
import { paths, RISKS_ID } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useOfferTexts } from '#web/messages/use-offer-texts.ts'
import { TextLink } from '#web/ui/actions.tsx'

/** What can be lost, in one sentence, with a link to all of it; nothing if none is stated. */
export function RiskLine({ project }: { project: Project }) {
  const { risk } = useOfferTexts()
  const saleText = useSaleText(project)
  if (project.risk === null) return null
  return (
    <p>
      {saleText(project.risk.statement)}{' '}
      {/* Opens in another tab or window, so that a form in progress here is kept. */}
      <TextLink to={`${paths.info}#${RISKS_ID}`} target="_blank" className="inline-block py-0.5">
        {risk.more}
      </TextLink>
    </p>
  )
}
