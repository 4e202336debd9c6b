import { type Project, useProjectQuery } from '#web/features/project/queries.ts'
import type { LegalSection } from '#web/messages/en/legal.ts'
import { useLegalTexts } from '#web/messages/use-legal-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

interface LegalTextProps {
  heading: string
  /** The text for the project that it names. */
  sectionsOf: (project: Project) => LegalSection[]
}

/**
 * A static text in numbered sections; in the middle of the page where no sidebar stands beside it.
 */
export function LegalText({ heading, sectionsOf }: LegalTextProps) {
  const { failed } = useLegalTexts()
  const isAlone = useUser() === null
  const { data: project, isError, refetch, isFetching } = useProjectQuery()
  return (
    <article className={classNames('flex max-w-[65ch] flex-col gap-8', isAlone && 'mx-auto')}>
      <PageHeading>{heading}</PageHeading>
      {project !== undefined ? (
        sectionsOf(project).map((section, index) => (
          <Section key={section.title} section={section} number={index + 1} />
        ))
      ) : isError ? (
        <ErrorState title={failed} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </article>
  )
}

function Section({ section, number }: { section: LegalSection; number: number }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-20">
        {number}. {section.title}
      </h2>
      {section.paragraphs.map((paragraph) => (
        <p key={paragraph} className="text-pretty text-quiet">
          {paragraph}
        </p>
      ))}
    </section>
  )
}
