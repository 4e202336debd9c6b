import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { accountContract, type SecurityEvent } from '#contract/operator/account.ts'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { Time } from '#console/kit/values.tsx'
import { call, messageOf } from '#web/lib/api/call.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'
import { historyKey, sessionsQuery } from './queries.ts'

export function SessionsCard() {
  const query = useQuery(sessionsQuery)
  const client = useQueryClient()
  async function end(id: string) {
    try {
      await call(accountContract.endOwnSession, { params: { id } })
      toast.success('The session has ended.')
    } catch (error) {
      toast.error(messageOf(error, 'The server does not answer.'))
    } finally {
      void client.invalidateQueries({ queryKey: ['operator', 'me'] })
    }
  }
  return (
    <Card title="Sessions">
      <Loaded query={query} what="The sessions" skeleton="h-16">
        {(sessions) => (
          <List label="Sessions">
            {sessions.map(
              ({ id, device, address, last_used_date: used, is_current: isCurrent }) => (
                <ListRow key={id} className="flex items-center gap-3">
                  <div className="min-w-0 flex-1">
                    <p className="font-medium">{device}</p>
                    <p className="text-14 wrap-anywhere text-quiet">
                      {address} · <Time value={used} as="age" />
                    </p>
                  </div>
                  {isCurrent ? (
                    <Chip tone="success">This one</Chip>
                  ) : (
                    <IconButton
                      label={`End the session of ${device}`}
                      icon={<LogOut size="1.25em" />}
                      onClick={() => void end(id)}
                      className="-mr-3"
                    />
                  )}
                </ListRow>
              ),
            )}
          </List>
        )}
      </Loaded>
    </Card>
  )
}

const words: Record<string, string> = {
  accepted: 'Joined by an invitation',
  signed_in: 'Signed in',
  sign_in_failed: 'A sign-in was refused',
  invitation_refused: 'An old invitation was tried',
  passkey_refused: 'A passkey was refused',
  passkey_copied: 'A copied passkey was refused',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  authenticator_on: 'The authenticator app was turned on',
  authenticator_off: 'The authenticator app was turned off',
  recovery_codes_renewed: 'New recovery codes were made',
  password_changed: 'The password was changed',
  session_ended: 'A session was ended',
  factors_reset: 'The second factors were reset',
  role_changed: 'The role was changed',
  removed: 'The account was removed',
}

const columns: readonly Column<SecurityEvent>[] = [
  { header: 'What', isTitle: true, cell: (event) => <What event={event} /> },
  { header: 'When', cell: ({ date }) => <Time value={date} /> },
  { header: 'Device', from: 'md', cell: ({ device }) => device },
  { header: 'From', cell: ({ address }) => address },
]

function What({ event: { kind, details } }: { event: SecurityEvent }) {
  const { by, name, to } = details
  const more = name === undefined ? by : `“${name}”`
  return (
    <>
      {words[kind] ?? kind}
      {more !== undefined && <span className="block text-quiet">{more}</span>}
      {to !== undefined && <span className="block text-quiet">to {to}</span>}
    </>
  )
}

export function HistoryCard() {
  const history = usePages(historyKey, accountContract.listSecurityEvents, { query: {} })
  return (
    <Card title="Security history">
      <PagedTable
        pages={history}
        what="The history"
        skeleton="h-44"
        empty={null}
        label="Security history"
        columns={columns}
        keyOf={({ id }) => id}
      />
    </Card>
  )
}
