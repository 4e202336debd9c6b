import { Fragment } from 'react'
import { type Project, useProjectQuery } from '#web/features/project/queries.ts'
import type { LegalSection } from '#web/messages/en/legal.ts'
import { formatDay } from '#web/lib/format/format.ts'
import { TERMS_DATE, useLegalTexts } from '#web/messages/use-legal-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { PlainLink } from '#web/ui/actions.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

interface LegalTextProps {
  heading: string
  /** The text for the project that it names. */
  sectionsOf: (project: Project) => LegalSection[]
}

/** A static text in numbered sections; centred on the page if there is no sidebar beside it. */
export function LegalText({ heading, sectionsOf }: LegalTextProps) {
  const { failed, licences, version } = useLegalTexts()
  const isAlone = useUser() === null
  const query = useProjectQuery()
  const { data: project } = query
  return (
    <article
      className={classNames('flex max-w-[65ch] flex-col gap-8 break-words', isAlone && 'mx-auto')}
    >
      <div className="flex flex-col gap-1">
        <PageHeading>{heading}</PageHeading>
        <p className="text-14 text-quiet">
          <time dateTime={TERMS_DATE}>{version(formatDay(TERMS_DATE))}</time>
        </p>
      </div>
      {project !== undefined ? (
        sectionsOf(project).map((section, index) => (
          <section key={section.title} className="flex flex-col gap-3">
            <h2 className="text-20">
              {index + 1}. {section.title}
            </h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph} className="text-quiet">
                <WithMailLinks text={paragraph} email={project.contact_email} />
              </p>
            ))}
          </section>
        ))
      ) : query.isError ? (
        <ErrorState title={failed} query={query} />
      ) : (
        <Skeleton className="h-96" />
      )}
      <PlainLink href="/licenses.txt" className="self-start">
        {licences}
      </PlainLink>
    </article>
  )
}

/** A text in which the address is a link that writes to it. */
function WithMailLinks({ text, email }: { text: string; email: string | null }) {
  if (email === null) return text
  const [before, ...rest] = text.split(email)
  return (
    <>
      {before}
      {rest.map((after, index) => (
        <Fragment key={index}>
          <PlainLink href={`mailto:${email}`} className="break-words">
            {email}
          </PlainLink>
          {after}
        </Fragment>
      ))}
    </>
  )
}
