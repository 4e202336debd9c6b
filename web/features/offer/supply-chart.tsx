import type { Project } from '#contract/shapes.ts'
import { formatNumber } from '#web/lib/format/format.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'

/** Adjacent parts are told apart by lightness; the table lists them in the same order. */
const fills = ['fill-accent', 'fill-quiet', 'fill-hairline', 'fill-edge', 'fill-ink', 'fill-raised']
const fillOf = (index: number) => fills[index % fills.length]

/** Where the whole supply goes, as one bar and a table. */
export function SupplyChart({ project }: { project: Project }) {
  const { supply: texts } = useSalePageTexts()
  const saleText = useSaleText(project)
  const starts = project.supply.map((_, index) =>
    project.supply.slice(0, index).reduce((sum, { percentage }) => sum + percentage, 0),
  )
  return (
    <div className="flex flex-col gap-4">
      <svg
        aria-hidden="true"
        className="block h-14 w-full overflow-visible forced-color-adjust-none"
      >
        {project.supply.map(({ label, percentage }, index) => (
          <rect
            key={label}
            x={`${starts[index] ?? 0}%`}
            y="0"
            width={`${percentage}%`}
            height="100%"
            strokeWidth={2}
            className={`${fillOf(index)} stroke-ground forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]`}
          />
        ))}
      </svg>
      <table className="tabular w-full text-left text-14">
        <thead className="sr-only">
          <tr>
            <th scope="col">{texts.label}</th>
            <th scope="col">{texts.share}</th>
          </tr>
        </thead>
        <tbody>
          {project.supply.map(({ label, percentage }, index) => (
            <tr key={label} className="border-b border-hairline last:border-0">
              <th scope="row" className="flex items-center gap-3 py-2 font-medium">
                <svg
                  viewBox="0 0 12 12"
                  aria-hidden="true"
                  className="size-3 shrink-0 forced-colors:hidden"
                >
                  <rect
                    x={0.5}
                    y={0.5}
                    width={11}
                    height={11}
                    className={`${fillOf(index)} stroke-edge`}
                  />
                </svg>
                {saleText(label)}
              </th>
              <td className="py-2 pl-3 text-right">{texts.percent(formatNumber(percentage))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
