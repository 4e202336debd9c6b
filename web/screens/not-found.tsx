import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/actions/links.tsx'
import { DeadEnd } from '#web/ui/feedback/dead-end.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function NotFoundScreen() {
  const { layout } = useMessages()
  const isAlone = useUser() === null
  return (
    <DeadEnd
      drawing="search"
      heading={<PageHeading isPoster>{layout.notFoundTitle}</PageHeading>}
      actions={
        <>
          {isAlone ? (
            <LinkButton to={paths.login}>{layout.notFoundLogin}</LinkButton>
          ) : (
            <LinkButton to={paths.dashboard}>{layout.notFoundAction}</LinkButton>
          )}
          <LinkButton to={paths.info} variant="secondary">
            {layout.notFoundInfo}
          </LinkButton>
        </>
      }
    >
      <p>{layout.notFoundText}</p>
    </DeadEnd>
  )
}
