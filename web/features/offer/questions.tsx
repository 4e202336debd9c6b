import { ChevronDown } from 'lucide-react'
import type { Project } from '#contract/shapes.ts'
import { useSaleText } from '#web/messages/sale-text.ts'

/** What newcomers ask. Native disclosures: they open before and without scripts. */
export function Questions({ project }: { project: Project }) {
  const saleText = useSaleText(project)
  return (
    <div className="flex flex-col divide-y divide-hairline border-y border-hairline">
      {project.questions.map(({ question, answer }) => (
        <details key={question} className="group">
          <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-medium wrap-anywhere [&::-webkit-details-marker]:hidden">
            {saleText(question)}
            <ChevronDown
              size={20}
              className="shrink-0 text-quiet transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="max-w-[65ch] pb-5 text-quiet">{saleText(answer)}</p>
        </details>
      ))}
    </div>
  )
}
