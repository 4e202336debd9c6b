import { type Project, useProjectQuery } from '#web/features/project/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { useLegalTexts } from '#web/messages/use-legal-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/actions/links.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Figure } from '#web/ui/layout/figure.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

/** What is sold and how, for visitors who are undecided; in the words of the sale file. */
export function InfoScreen() {
  const { info } = useLegalTexts()
  const { data: project, isError, refetch, isFetching } = useProjectQuery()
  if (project !== undefined) return <ProjectInfo project={project} />
  return (
    <div className="flex flex-col gap-10">
      <PageHeading>{info.title}</PageHeading>
      {isError ? (
        <ErrorState title={info.failed} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </div>
  )
}

function ProjectInfo({ project }: { project: Project }) {
  const { info } = useLegalTexts()
  const isLoggedOut = useUser() === null
  const facts = project.info?.facts ?? []
  const sections = project.info?.sections ?? info.fallback(project.name, project.symbol)
  return (
    <article className="flex flex-col gap-10">
      <div className="flex flex-col gap-2">
        <PageHeading>{info.heading(project.name)}</PageHeading>
        {/* On two lines where one is too short: then no point is left at the end of the first. */}
        <p className="flex flex-wrap overflow-hidden text-20 text-quiet">
          <span className="mr-5">{project.tagline}</span>
          <span className="-ml-5 before:inline-block before:w-5 before:text-center before:content-['·']">
            {project.launch_notice}
          </span>
        </p>
      </div>
      {facts.length > 0 && (
        <ul className="grid gap-px overflow-hidden rounded-card border border-hairline bg-hairline sm:grid-cols-2 xl:grid-cols-3">
          {facts.map((fact) => (
            <li key={fact.label} className="flex min-w-0 flex-col gap-1 bg-surface p-4 sm:p-6">
              <Figure label={fact.label} value={fact.value} size="medium" />
              <span className="text-14 text-quiet">{fact.detail}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="grid gap-8 xl:grid-cols-3">
        {sections.map((section) => (
          <section key={section.title} className="flex max-w-[65ch] flex-col gap-3">
            <h2 className="text-20">{section.title}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph} className="text-pretty text-quiet">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
      {isLoggedOut && (
        <div className="flex flex-wrap gap-3">
          <LinkButton to={paths.register}>{info.register}</LinkButton>
          <LinkButton to={paths.login} variant="secondary">
            {info.login}
          </LinkButton>
        </div>
      )}
    </article>
  )
}
