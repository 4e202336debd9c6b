import type { LegalSection } from '#web/messages/en/legal.ts'
import { useUser } from '#web/session/session-context.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface LegalTextProps {
  heading: string
  /** Undefined while the project that it names is not known. */
  sections: LegalSection[] | undefined
}

/**
 * A static text in numbered sections; in the middle of the page where no sidebar stands beside it.
 */
export function LegalText({ heading, sections }: LegalTextProps) {
  const isAlone = useUser() === null
  return (
    <article className={classNames('flex max-w-[65ch] flex-col gap-8', isAlone && 'mx-auto')}>
      <PageHeading>{heading}</PageHeading>
      {sections === undefined && <Skeleton className="h-96" />}
      {sections?.map((section, index) => (
        <section key={section.title} className="flex flex-col gap-3">
          <h2 className="text-20">
            {index + 1}. {section.title}
          </h2>
          {section.paragraphs.map((paragraph) => (
            <p key={paragraph} className="text-quiet">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </article>
  )
}
