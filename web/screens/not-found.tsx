import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/actions/links.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { classNames } from '#web/ui/style/class-names.ts'

export function NotFoundScreen() {
  const { layout } = useMessages()
  const isAlone = useUser() === null
  return (
    <div
      className={classNames(
        'flex max-w-[65ch] flex-col items-start gap-4 py-12',
        isAlone && 'mx-auto',
      )}
    >
      <PageHeading>{layout.notFoundTitle}</PageHeading>
      <p className="max-w-prose text-quiet">{layout.notFoundText}</p>
      <div className="flex flex-wrap gap-3">
        {isAlone ? (
          <LinkButton to={paths.login}>{layout.notFoundLogin}</LinkButton>
        ) : (
          <LinkButton to={paths.dashboard}>{layout.notFoundAction}</LinkButton>
        )}
        <LinkButton to={paths.info} variant="secondary">
          {layout.notFoundInfo}
        </LinkButton>
      </div>
    </div>
  )
}
