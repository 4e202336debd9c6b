import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListedOperator, teamContract } from '#contract/operator/team.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Email, Time } from '#console/kit/values.tsx'
import { useSelf } from '#console/session/self.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { SmallButton, Button } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { teamQuery } from './queries.ts'
import { RoleChoice } from './role-choice.tsx'

/** Everybody who runs the sale; owners change the others here. */
export function TeamCard({ mayManage }: { mayManage: boolean }) {
  const query = useQuery(teamQuery)
  const { id: ownId } = useSelf()
  const [chosen, setChosen] = useState<ListedOperator | null>(null)
  const columns = mayManage ? [...facts, changing(ownId, setChosen)] : facts
  return (
    <Card title="Team">
      <Loaded query={query} what="The team" skeleton="h-44 max-md:h-128">
        {({ data }) => <Table label="Team" columns={columns} rows={data} keyOf={({ id }) => id} />}
      </Loaded>
      {chosen !== null && <PersonDialog person={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

const facts: readonly Column<ListedOperator>[] = [
  { header: 'Name', isTitle: true, cell: (person) => <Name person={person} /> },
  { header: 'Email', from: 'lg', cell: ({ email }) => <Email address={email} /> },
  { header: 'Role', cell: ({ role }) => <span className="whitespace-nowrap">{role}</span> },
  { header: 'Second factor', cell: (person) => <Factors person={person} /> },
  {
    header: 'Last seen',
    from: 'md',
    cell: ({ last_seen_date: seen }) => <Time value={seen} none="never" as="age" />,
  },
]

/** Nobody can change themselves. */
const changing = (
  ownId: string,
  onChange: (person: ListedOperator) => void,
): Column<ListedOperator> => ({
  header: 'Change',
  isAct: true,
  isNumber: true,
  cell: (person) =>
    person.id !== ownId && (
      <SmallButton aria-label={`Change ${person.name}`} onClick={() => onChange(person)}>
        Change
      </SmallButton>
    ),
})

function Name({ person: { id, name } }: { person: ListedOperator }) {
  const self = useSelf()
  return (
    <span className="font-medium">
      {name}
      {id === self.id && <span className="font-normal text-quiet"> (you)</span>}
    </span>
  )
}

function Factors({ person: { passkeys, has_authenticator: hasApp } }: { person: ListedOperator }) {
  const words = [
    ...(passkeys > 0 ? [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`] : []),
    ...(hasApp ? ['an app'] : []),
  ]
  if (words.length === 0) return <Chip tone="warning">None: cannot sign in</Chip>
  return words.join(' and ')
}

interface PersonDialogProps {
  person: ListedOperator
  onClose: () => void
}

type Step = 'role' | 'remove' | 'reset'

/** What an owner can change about somebody else: role, lost second factors, or removal. */
function PersonDialog({ person, onClose }: PersonDialogProps) {
  const [step, setStep] = useState<Step>('role')
  const input = { params: { id: person.id } }
  if (step === 'remove') {
    return (
      <ActDialog
        title={`Remove ${person.name}`}
        confirm="Remove"
        isDangerous
        done={`${person.name} is removed.`}
        onClose={onClose}
        endpoint={teamContract.removeOperator}
        input={() => input}
      >
        <p>
          Their sessions, second factors and open invitations end at once. What they did keeps their
          name.
        </p>
      </ActDialog>
    )
  }
  if (step === 'reset') return <ResetDialog person={person} onClose={onClose} />
  return <RoleDialog person={person} onClose={onClose} onStep={setStep} />
}

function ResetDialog({ person, onClose }: PersonDialogProps) {
  return (
    <ActDialog
      title={`Reset the second factors of ${person.name}`}
      confirm="Reset"
      isDangerous
      done="The second factors are reset. The link was mailed."
      onClose={onClose}
      endpoint={teamContract.resetFactors}
      input={() => ({ params: { id: person.id } })}
      renderResult={({ is_mailed: isMailed }) =>
        isMailed ? null : <NotMailed person={person} onClose={onClose} />
      }
    >
      <p>
        Make sure that it is really {person.name} who asks. Their sessions, passkeys, authenticator
        app and recovery codes end at once, and so do API keys and invitations that they made. What
        they have asked for or approved, and is not done yet, is not done any more. A link that is
        mailed to them alone lets them choose a new password and a new second factor.
      </p>
    </ActDialog>
  )
}

/** Nobody else may sign in as that person, so the link is not shown here even if nobody gets it. */
function NotMailed({ person, onClose }: PersonDialogProps) {
  const command = `npm run operator -- operators reset ${person.id}`
  return (
    <div className="flex flex-col gap-4">
      <p role="status">
        The second factors are reset. This sandbox has no mail server, so no link reaches{' '}
        {person.name}: this command, run where the server runs, shows another one.
      </p>
      <CopyField label="Command" value={command}>
        <code className="text-14 wrap-anywhere">{command}</code>
      </CopyField>
      <Button onClick={onClose} className="self-end">
        Done
      </Button>
    </div>
  )
}

function RoleDialog(props: PersonDialogProps & { onStep: (step: Step) => void }) {
  const { person, onClose, onStep } = props
  const client = useQueryClient()
  const [role, setRole] = useState(person.role)
  const [fault, setFault] = useState<string>()
  const { isBusy, attempt } = useAttempt(
    async () => {
      await call(teamContract.changeRole, { params: { id: person.id }, body: { role } })
      await client.invalidateQueries({ queryKey: ['operator', 'team'] })
      toast.success(`${person.name} is now ${role}.`)
      onClose()
    },
    (error) => setFault(messageOf(error, 'The server does not answer')),
  )
  return (
    <Dialog isOpen title={person.name} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere text-quiet">{person.email}</p>
        <RoleChoice role={role} onChange={setRole} />
        <FieldError id="role-error" error={fault} keepsLine={false} />
        <Button
          disabled={role === person.role}
          isBusy={isBusy}
          onClick={attempt}
          className="self-start"
        >
          Change the role
        </Button>
        <div className="flex flex-wrap gap-3 border-t border-hairline pt-4">
          <Button variant="secondary" onClick={() => onStep('reset')}>
            Reset second factors
          </Button>
          <Button variant="danger" onClick={() => onStep('remove')}>
            Remove
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
