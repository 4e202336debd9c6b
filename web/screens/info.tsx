import { type ReactNode, Suspense, useEffect, useId } from 'react'
import { useLocation } from 'react-router'
import { HowToBuy } from '#web/features/offer/how-to-buy.tsx'
import { Questions, Risks, Papers, SellerFacts } from '#web/features/offer/sale-facts.tsx'
import { LADDER_ID, RELEASE_ID, SaleHero } from '#web/features/offer/sale-hero.tsx'
import { PriceLadder } from '#web/features/price-ladder/price-ladder.tsx'
import { type Project, useProjectQuery } from '#web/features/project/queries.ts'
import { useStages } from '#web/features/stage/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths, RISKS_ID } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useSalePageTexts } from '#web/messages/use-sale-page-texts.ts'
import { useSalePanelTexts } from '#web/messages/use-sale-panel-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/actions.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Figure } from '#web/ui/layout/card.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

/* The page does not wait for these: until their code is loaded they stay as they were sent. */
export const SupplyChart = lazyComponent(
  () => import('#web/features/offer/supply-chart.tsx'),
  'SupplyChart',
)
export const ReleaseExample = lazyComponent(
  () => import('#web/features/offer/release-example.tsx'),
  'ReleaseExample',
)

/** The sale page: what is sold, at which price, by whom, and what can be lost. */
export function InfoScreen() {
  const texts = useSalePageTexts()
  const query = useProjectQuery()
  useHash()
  if (query.data !== undefined) return <SalePage project={query.data} />
  return (
    <div className="flex flex-col gap-10">
      <PageHeading>{texts.title}</PageHeading>
      {query.isError ? (
        <ErrorState title={texts.failed} query={query} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  )
}

/** Scrolls to the part that the address names: if the page is rendered again, browsers do not. */
function useHash() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === '') return
    const frame = requestAnimationFrame(() => {
      document.getElementById(hash.slice(1))?.scrollIntoView()
    })
    return () => cancelAnimationFrame(frame)
  }, [hash])
}

function SalePage({ project }: { project: Project }) {
  const texts = useSalePageTexts()
  const { heading } = useSalePanelTexts()
  const saleText = useSaleText(project)
  const stages = (useStages().data ?? []).map((stage) => ({ ...stage, name: saleText(stage.name) }))
  const { name, symbol, supply, vesting, seller, contract, papers, questions, risk } = project
  const isOnSale = stages.some(({ status }) => status === 'active')
  const isOver = stages.length > 0 && stages.every(({ status }) => status === 'ended')
  return (
    <article className="flex flex-col gap-16 break-words xl:gap-24">
      <SaleHero
        project={project}
        stages={stages}
        heading={heading(name)}
        actions={<Actions symbol={symbol} isOnSale={isOnSale} isOver={isOver} />}
      />
      {stages.length > 0 && (
        <Section title={texts.ladder.title} id={LADDER_ID}>
          <p className="max-w-[65ch] text-quiet">{texts.ladder.intro(symbol)}</p>
          <PriceLadder stages={stages} symbol={symbol} size="large" />
        </Section>
      )}
      <Section title={texts.buying.title}>
        <HowToBuy symbol={symbol} />
      </Section>
      <div className="grid gap-16 lg:grid-flow-row-dense lg:grid-cols-2">
        {supply.length > 0 && (
          <Section title={texts.supply.title}>
            <Suspense fallback={null}>
              <SupplyChart project={project} />
            </Suspense>
          </Section>
        )}
        {vesting !== null && (
          <Section title={texts.release.title} id={RELEASE_ID} className="lg:row-span-2">
            <Suspense fallback={null}>
              <ReleaseExample project={project} stages={stages} />
            </Suspense>
          </Section>
        )}
        {(seller !== null || contract !== null) && (
          <Section title={texts.seller.title}>
            <SellerFacts project={project} />
          </Section>
        )}
      </div>
      {papers.length > 0 && (
        <Section title={texts.papers.title} className={titleBeside}>
          <Papers project={project} />
        </Section>
      )}
      <ProjectInfo project={project} />
      {questions.length > 0 && (
        <Section title={texts.questions} className={titleBeside}>
          <Questions project={project} />
        </Section>
      )}
      {risk !== null && (
        <Section title={texts.risks} id={RISKS_ID} className={titleBeside}>
          <Risks project={project} />
        </Section>
      )}
    </article>
  )
}

interface ActionsProps {
  symbol: string
  isOnSale: boolean
  isOver: boolean
}

/** What can be done next. One of them is the primary one. */
function Actions({ symbol, isOnSale, isOver }: ActionsProps) {
  const texts = useSalePageTexts()
  const proof = isOver && (
    <LinkButton to={paths.proof} variant="secondary">
      {texts.proof}
    </LinkButton>
  )
  if (useUser() !== null) {
    return isOnSale ? (
      <LinkButton to={paths.buy}>{texts.buy(symbol)}</LinkButton>
    ) : (
      <>
        <LinkButton to={paths.dashboard}>{texts.dashboard}</LinkButton>
        {proof}
      </>
    )
  }
  if (isOver) {
    return (
      <>
        <LinkButton to={paths.login}>{texts.login}</LinkButton>
        {proof}
      </>
    )
  }
  return (
    <>
      <LinkButton to={paths.register}>{texts.register}</LinkButton>
      <LinkButton to={paths.login} variant="secondary">
        {texts.login}
      </LinkButton>
    </>
  )
}

/** What the sale file says about the project: figures in a grid, then a few short texts. */
function ProjectInfo({ project }: { project: Project }) {
  const texts = useSalePageTexts()
  const saleText = useSaleText(project)
  const facts = project.info?.facts ?? []
  const sections = project.info?.sections ?? texts.fallback(project.name, project.symbol)
  return (
    <div className="flex flex-col gap-10">
      {facts.length > 0 && (
        <Section title={texts.facts}>
          <ul className="grid gap-px overflow-hidden rounded-card border border-hairline bg-hairline sm:grid-cols-2 xl:grid-cols-3">
            {facts.map((fact) => (
              <li key={fact.label} className="flex min-w-0 flex-col gap-1 bg-surface p-4 sm:p-6">
                <Figure label={saleText(fact.label)} value={saleText(fact.value)} size="medium" />
                {fact.detail !== null && (
                  <span className="text-14 text-quiet">{saleText(fact.detail)}</span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <div className="grid gap-8 xl:grid-cols-3">
        {sections.map((section) => (
          <section key={section.title} className="flex max-w-[65ch] flex-col gap-3">
            <h2 className="text-20">{saleText(section.title)}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph} className="text-quiet">
                {saleText(paragraph)}
              </p>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}

interface SectionProps {
  title: string
  /** The target of links. */
  id?: string
  className?: string
  children: ReactNode
}

/** For parts that are read as lines: at full width, their two ends would be too far apart. */
const titleBeside = 'xl:grid xl:grid-cols-[1fr_2fr] xl:gap-x-8'

function Section({ title, id, className, children }: SectionProps) {
  const titleId = useId()
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={classNames('flex min-w-0 scroll-mt-24 flex-col gap-6', className)}
    >
      <h2 id={titleId} className="text-25 sm:text-31">
        {title}
      </h2>
      {children}
    </section>
  )
}
