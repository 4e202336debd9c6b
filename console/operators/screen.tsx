import { useState } from 'react'
import { useMay } from '#console/session/self.ts'
import { Button } from '#web/ui/actions.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { TeamCard } from './team-card.tsx'

export function OperatorsScreen() {
  const mayManage = useMay('operators.manage')
  const [isInviting, setInviting] = useState(false)
  return (
    <>
      <PageHeading
        aside={mayManage && <Button onClick={() => setInviting(true)}>Invite somebody</Button>}
      >
        Operators
      </PageHeading>
      <TeamCard mayManage={mayManage} />
      <InvitationsCard mayManage={mayManage} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}
