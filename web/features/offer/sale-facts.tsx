import type { ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import type { Project } from '#contract/shapes.ts'
import { networkName } from '#domain/chains/chain.ts'
import { formatUtcDay } from '#web/lib/format/utc-dates.ts'
import { useLanguage } from '#web/messages/language.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'
import { ExternalLink, PlainLink } from '#web/ui/actions.tsx'

/** Who sells, by what contract, and whom to ask. */
export function SellerFacts({ project }: { project: Project }) {
  const { seller: texts } = useSalePageTexts()
  const saleText = useSaleText(project)
  const { seller, contract, contact_email } = project
  return (
    <dl className="flex flex-col divide-y divide-hairline">
      {seller !== null && (
        <>
          <Fact label={texts.name}>{saleText(seller.name)}</Fact>
          <Fact label={texts.place}>{saleText(seller.place)}</Fact>
          {seller.registration !== null && (
            <Fact label={texts.registration}>{seller.registration}</Fact>
          )}
        </>
      )}
      <Fact label={texts.contract(project.symbol)}>
        {contract === null ? (
          texts.notDeployed
        ) : (
          <>
            <span className="block text-quiet">{networkName(contract)}</span>
            <span className="block font-mono text-14 break-all">{contract.address}</span>
            {contract.explorer_url !== null && (
              <ExternalLink href={contract.explorer_url} className="inline-block py-1">
                {texts.explorer}
              </ExternalLink>
            )}
          </>
        )}
      </Fact>
      {contact_email !== null && (
        <Fact label={texts.questions}>
          <PlainLink href={`mailto:${contact_email}`} className="break-all">
            {contact_email}
          </PlainLink>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-x-4 py-3 sm:flex-row">
      <dt className="shrink-0 text-quiet sm:w-48">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** What a careful buyer reads, with the day of each version. */
export function Papers({ project }: { project: Project }) {
  const { papers: texts } = useSalePageTexts()
  const saleText = useSaleText(project)
  const { language } = useLanguage()
  return (
    <ul className="flex flex-col divide-y divide-hairline">
      {project.papers.map(({ title, url, date }) => (
        <li key={url} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1">
          <ExternalLink href={url} className="py-2.5">
            {saleText(title)}
          </ExternalLink>
          {date !== null && (
            <span className="text-14 text-quiet">{texts.dated(formatUtcDay(date, language))}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

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

/** What can be lost: the statement, and every point behind it. Nothing if the sale has none. */
export function Risks({ project }: { project: Project }) {
  const saleText = useSaleText(project)
  if (project.risk === null) return null
  return (
    <div className="flex max-w-[65ch] flex-col gap-4">
      <p className="font-display text-25 font-strong text-balance">
        {saleText(project.risk.statement)}
      </p>
      <ul className="flex list-disc flex-col gap-2 pl-5 text-quiet">
        {project.risk.summary.map((point) => (
          <li key={point}>{saleText(point)}</li>
        ))}
      </ul>
    </div>
  )
}
