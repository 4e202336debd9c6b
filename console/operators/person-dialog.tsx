import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ListedOperator, teamContract } from '#contract/operator/team.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { call, messageOf } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { RoleChoice } from './role-choice.tsx'

interface PersonDialogProps {
  person: ListedOperator
  onClose: () => void
}

type Step = 'role' | 'remove' | 'reset'

/** What an owner can change about somebody else: role, lost second factors, or removal. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
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
  if (step === 'reset') {
    return (
      <ActDialog
        title={`Reset the second factors of ${person.name}`}
        confirm="Reset"
        isDangerous
        done="The second factors are reset. The link was mailed."
        onClose={onClose}
        endpoint={teamContract.resetFactors}
        input={() => input}
      >
        <p>
          Make sure that it is really {person.name} who asks. Their sessions, passkeys,
          authenticator app and recovery codes end at once; a link that is mailed to them alone lets
          them choose a new password and a new second factor.
        </p>
      </ActDialog>
    )
  }
  return <RoleDialog person={person} onClose={onClose} onStep={setStep} />
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
