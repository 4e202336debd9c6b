import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

export function NotFoundScreen() {
  const { layout } = useMessages()
  return (
    <div className="flex flex-col items-start gap-4 py-12">
      <PageHeading>{layout.notFoundTitle}</PageHeading>
      <p className="max-w-prose text-quiet">{layout.notFoundText}</p>
      <LinkButton to={paths.dashboard}>{layout.notFoundAction}</LinkButton>
    </div>
  )
}
