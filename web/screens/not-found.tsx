import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useUser } from '#web/session/session-context.tsx'
import { LinkButton } from '#web/ui/actions.tsx'
import { NothingFoundDrawing } from '#web/ui/feedback/drawings.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function NotFoundScreen() {
  const { layout } = useMessages()
  const isAlone = useUser() === null
  return (
    <div className="flex flex-col items-start gap-8 py-8 md:flex-row-reverse md:items-center md:justify-between">
      <NothingFoundDrawing className="h-32 max-w-full md:h-auto md:w-[38%]" />
      <div className="flex max-w-[36rem] min-w-0 flex-1 flex-col items-start gap-5">
        <PageHeading isPoster>{layout.notFoundTitle}</PageHeading>
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
    </div>
  )
}
