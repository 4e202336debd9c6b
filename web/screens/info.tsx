import { info } from '#web/messages/en/legal.ts'
import { useUser } from '#web/session/session-context.tsx'
import { paths } from '#web/lib/paths.ts'
import { Figure } from '#web/ui/figure.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

/** What is sold and how, for who has not decided yet. */
export function InfoScreen() {
  const isLoggedOut = useUser() === null
  return (
    <article className="flex flex-col gap-10">
      <div className="flex flex-col gap-2">
        <PageHeading>{info.heading('HUH')}</PageHeading>
        <p className="text-20 text-quiet">
          {info.tagline} · {info.launch}
        </p>
      </div>
      <ul className="grid gap-px overflow-hidden rounded-card border border-hairline bg-hairline sm:grid-cols-2 xl:grid-cols-3">
        {info.facts.map((fact) => (
          <li key={fact.label} className="flex flex-col gap-1 bg-surface p-4 sm:p-6">
            <Figure label={fact.label} value={fact.value} size="medium" />
            <span className="text-14 text-quiet">{fact.detail}</span>
          </li>
        ))}
      </ul>
      <div className="grid gap-8 xl:grid-cols-3">
        {info.sections.map((section) => (
          <section key={section.title} className="flex max-w-[65ch] flex-col gap-3">
            <h2 className="text-20">{section.title}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph} className="text-quiet">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
      {isLoggedOut && (
        <LinkButton to={paths.register} className="self-start">
          {info.register}
        </LinkButton>
      )}
    </article>
  )
}
