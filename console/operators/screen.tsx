import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { type InvitationLink, teamContract } from '#contract/operator/team.ts'
import { Email } from '#contract/shapes.ts'
import type { Role } from '#domain/operators/permissions.ts'
import { DialogButtons } from '#console/kit/act-dialog.tsx'
import { useMay } from '#console/session/self.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button } from '#web/ui/actions.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { RoleChoice } from './role-choice.tsx'
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

const schema = z.object({ email: Email })

/** Invites somebody, and shows the link once. */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [role, setRole] = useState<Role>('viewer')
  const [link, setLink] = useState<InvitationLink | null>(null)
  const form = useForm({
    schema,
    initial: { email: '' },
    async onSubmit({ email }) {
      const body = { email: email.trim(), role }
      setLink(await call(teamContract.inviteOperator, { body }))
      await client.invalidateQueries({ queryKey: ['operator', 'team'] })
    },
    onFault(error) {
      form.refuse('email', messageOf(error, 'The server does not answer'))
    },
  })
  return (
    <Dialog
      isOpen
      isHeld={link !== null}
      title={link === null ? 'Invite somebody' : 'Invited'}
      onClose={onClose}
    >
      {link === null ? (
        <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
          <TextField
            {...form.text('email')}
            label="Email"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
          <RoleChoice role={role} onChange={setRole} />
          <DialogButtons confirm="Invite" isBusy={form.isSubmitting} onClose={onClose} />
        </form>
      ) : (
        <LinkShown link={link} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** A link that lets somebody in: shown once, and mailed to them if there is a mail server. */
function LinkShown({ link, onClose }: { link: InvitationLink; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="wrap-anywhere">
        {link.is_mailed
          ? `The link is mailed to ${link.email}. You can also give it to them yourself: it`
          : `This sandbox has no mail server. Give the link to ${link.email} yourself: it`}{' '}
        works once, for 24 hours, and is not shown again.
      </p>
      <CopyField label="Link" value={link.link}>
        <span className="wrap-anywhere">{link.link}</span>
      </CopyField>
      <Button onClick={onClose} className="self-end">
        Done
      </Button>
    </div>
  )
}
