import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { type Invitation, teamContract } from '#contract/operator/team.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { invitationsQuery } from './queries.ts'

/** Links that still let somebody in; owners withdraw them here. */
export function InvitationsCard({ mayManage }: { mayManage: boolean }) {
  const query = useQuery(invitationsQuery)
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const columns = mayManage ? [...facts, takingBack(setWithdrawn)] : facts
  return (
    <Card title="Open invitations">
      <Loaded query={query} what="The invitations" skeleton="h-16">
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<Mail size={24} />} title="No open invitations">
              An invitation works once, for 24 hours.
            </EmptyState>
          ) : (
            <Table label="Open invitations" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {withdrawn !== null && (
        <WithdrawDialog invitation={withdrawn} onClose={() => setWithdrawn(null)} />
      )}
    </Card>
  )
}

const facts: readonly Column<Invitation>[] = [
  { header: 'Email', isTitle: true, cell: ({ email }) => email },
  { header: 'Role', cell: ({ role }) => role },
  { header: 'By', from: 'md', cell: ({ invited_by: by }) => by ?? 'the server’s token' },
  {
    header: 'For',
    from: 'lg',
    cell: ({ is_reset: isReset }) => (isReset ? 'new second factors' : 'a new operator'),
  },
  { header: 'Ends', cell: ({ expires_date: ends }) => <Time value={ends} as="age" /> },
]

const takingBack = (onPress: (invitation: Invitation) => void): Column<Invitation> => ({
  header: 'Take back',
  isAct: true,
  isNumber: true,
  cell: (invitation) => (
    <SmallButton
      aria-label={`Take back the invitation of ${invitation.email}`}
      onClick={() => onPress(invitation)}
    >
      Take back
    </SmallButton>
  ),
})

function WithdrawDialog(props: { invitation: Invitation; onClose: () => void }) {
  const { id, email } = props.invitation
  return (
    <ActDialog
      title="Take the invitation back"
      confirm="Take it back"
      isDangerous
      done="The link does not work any more."
      onClose={props.onClose}
      endpoint={teamContract.withdrawInvitation}
      input={() => ({ params: { id } })}
    >
      <p className="wrap-anywhere">The link that {email} got stops working.</p>
    </ActDialog>
  )
}
