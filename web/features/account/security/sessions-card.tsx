import { useRef } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import type { ResultOf } from '#contract/endpoint.ts'
import type { User } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { formatDate } from '#web/lib/format/format.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { useOwnQuery } from '#web/session/own-query.ts'
import { useSession } from '#web/session/session-context.tsx'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'

/** Every device on which the user is logged in, this one first, and the ways to end that. */
export function SessionsCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const params = { id: user.id }
  const query = useQuery(useOwnQuery(['sessions'], usersContract.listSessions, { params }))
  const { data: sessions, isError } = query
  const { callAs, clear } = useSession()
  const endAllButton = useRef<HTMLButtonElement>(null)
  const ownFirst = sessions?.toSorted(
    (one, other) => Number(other.is_current) - Number(one.is_current),
  )
  const { isBusy, attempt } = useAttempt(async () => {
    await callAs(usersContract.endSessions, { params })
    clear()
  }, security.endAllFailed)

  return (
    <Card title={security.sessionsTitle}>
      {sessions === undefined && !isError && <Skeleton className="h-16" />}
      {isError && <ErrorState title={security.sessionsMissing} query={query} />}
      {ownFirst !== undefined && (
        <List label={security.sessionsTitle}>
          {ownFirst.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              userId={user.id}
              // The row takes its button along.
              onEnded={() => endAllButton.current?.focus()}
            />
          ))}
        </List>
      )}
      <Button
        ref={endAllButton}
        variant="secondary"
        isBusy={isBusy}
        onClick={attempt}
        className="w-full sm:w-auto sm:self-start"
      >
        {security.endAll}
      </Button>
    </Card>
  )
}

interface SessionRowProps {
  session: ResultOf<typeof usersContract.listSessions>[number]
  userId: string
  onEnded: () => void
}

function SessionRow({ session, userId, onEnded }: SessionRowProps) {
  const security = useSecurityTexts()
  const { callAs } = useSession()
  const queryClient = useQueryClient()
  const { isBusy, attempt } = useAttempt(async () => {
    const params = { id: userId, session_id: session.id }
    await callAs(usersContract.endSession, { params })
    toast.success(security.sessionEnded)
    await queryClient.invalidateQueries({ queryKey: ['user', userId, 'sessions'] })
    onEnded()
  }, security.sessionFailed)
  const device = security.device(session.device)
  const lastUsed = security.lastUsed(formatDate(session.last_used_date))
  return (
    <ListRow className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3">
      <MonitorSmartphone size={20} className="col-start-1 row-start-1 text-quiet sm:row-end-3" />
      <p
        title={session.user_agent}
        className="col-start-2 row-start-1 flex flex-wrap items-center gap-x-3 gap-y-1 font-medium break-words"
      >
        {device}
        {session.is_current && <Chip tone="info">{security.thisDevice}</Chip>}
      </p>
      {/* On a phone below the button too: a date beside it would be broken in two. */}
      <p className="col-start-2 col-end-4 row-start-2 flex flex-col text-14 text-quiet sm:col-end-3 sm:flex-row sm:gap-x-3">
        {session.address !== null && <span>{session.address}</span>}
        <span>{lastUsed}</span>
      </p>
      {!session.is_current && (
        <SmallButton
          isBusy={isBusy}
          aria-label={security.endSessionOf(device)}
          className="col-start-3 row-start-1 sm:row-end-3"
          onClick={attempt}
        >
          {security.endSession}
        </SmallButton>
      )}
    </ListRow>
  )
}
