import { useState } from 'react'
import { peopleContract, type PersonRecord } from '#contract/operator/people.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { useSelf } from '#console/session/self.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/actions.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'

interface PersonAct {
  name: string
  permission: Permission
  label: string
  what: string
  done: string
  isPossible: (person: PersonRecord) => boolean
  isDangerous?: boolean
  endpoint: (typeof peopleContract)[
    | 'resendVerification'
    | 'requirePasswordChange'
    | 'endUserSessions'
    | 'endUserTwoFactor'
    | 'exportPerson']
  /** What it returns is downloaded. */
  savesFile?: boolean
}

const always = () => true

const acts: readonly PersonAct[] = [
  {
    name: 'resend',
    permission: 'people.help',
    label: 'Send the verification mail again',
    what: 'Another link that proves the email address is mailed; older ones stop working.',
    done: 'The mail is on its way.',
    isPossible: ({ is_email_verified }) => !is_email_verified,
    endpoint: peopleContract.resendVerification,
  },
  {
    name: 'password',
    permission: 'people.help',
    label: 'Require a new password',
    what: 'They can do nothing else until they choose a new password.',
    done: 'A new password is required.',
    isPossible: ({ requires_password_change }) => !requires_password_change,
    endpoint: peopleContract.requirePasswordChange,
  },
  {
    name: 'sessions',
    permission: 'people.help',
    label: 'End all sessions',
    what: 'They are logged out everywhere, at once.',
    done: 'All sessions are ended.',
    isPossible: ({ sessions }) => sessions.length > 0,
    endpoint: peopleContract.endUserSessions,
  },
  {
    name: 'two-factor',
    permission: 'people.help',
    label: 'End two-factor login',
    what:
      'From now on the password alone is enough, and they are told by mail. Make sure that it is ' +
      'really they who are asking.',
    done: 'Two-factor login is off.',
    isPossible: ({ has_two_factor }) => has_two_factor,
    isDangerous: true,
    endpoint: peopleContract.endUserTwoFactor,
  },
  {
    name: 'export',
    permission: 'people.export',
    label: 'Export their records',
    what:
      'A file with everything that is stored about them, which they can also get themselves. Your ' +
      'download is recorded.',
    done: 'The file is saved.',
    isPossible: always,
    endpoint: peopleContract.exportPerson,
    savesFile: true,
  },
]

/** What the signed-in person may do about somebody, as far as it makes sense. */
export function PersonActs({ person }: { person: PersonRecord }) {
  const { permissions } = useSelf()
  const [open, setOpen] = useState<string | null>(null)
  const mayErase = permissions.includes('people.erase')
  const possible = acts.filter(
    ({ permission, isPossible }) => permissions.includes(permission) && isPossible(person),
  )
  const chosen = acts.find(({ name }) => name === open)
  const close = () => setOpen(null)
  if (possible.length === 0 && !mayErase) return null
  return (
    <Card title="What you can do">
      <div className="flex flex-col gap-3">
        {possible.map(({ name, label }) => (
          <Button
            key={name}
            variant="secondary"
            isFullWidth
            aria-haspopup="dialog"
            onClick={() => setOpen(name)}
          >
            {label}
          </Button>
        ))}
        {mayErase && (
          <Button
            variant="danger"
            isFullWidth
            aria-haspopup="dialog"
            onClick={() => setOpen('erase')}
          >
            Erase this person
          </Button>
        )}
      </div>
      {chosen !== undefined && (
        <ActDialog
          title={chosen.label}
          confirm={chosen.label}
          isDangerous={chosen.isDangerous ?? false}
          done={chosen.done}
          endpoint={chosen.endpoint}
          input={() => ({ params: { id: person.id } })}
          onActed={({ result }) => {
            if (chosen.savesFile) saveRecords(person.id, result)
          }}
          onClose={close}
        >
          <p className="text-quiet">{chosen.what}</p>
        </ActDialog>
      )}
      {open === 'erase' && <EraseDialog person={person} onClose={close} />}
    </Card>
  )
}

function saveRecords(id: string, records: unknown): void {
  saveFile(`person-${id}.json`, `${JSON.stringify(records, null, 2)}\n`, 'application/json')
}

function EraseDialog({ person, onClose }: { person: PersonRecord; onClose: () => void }) {
  const { valueOf, field, refuse } = useFields({ email: '' })
  return (
    <ActDialog
      title="Erase this person"
      confirm="Erase for good"
      isDangerous
      done="The person is erased."
      endpoint={peopleContract.erasePerson}
      input={() => ({ params: { id: person.id }, body: { email: valueOf('email') } })}
      onRefused={refuse}
      onClose={onClose}
    >
      <p className="text-quiet">
        Name, email address, telephone and nationality are replaced, and sessions, links and
        two-factor login are deleted. Purchases stay, under an id that names nobody: the buyer can
        no longer see them. This cannot be undone.
      </p>
      <TextField
        label={`Type ${person.email} to continue`}
        type="email"
        required
        autoComplete="off"
        {...field('email')}
      />
    </ActDialog>
  )
}
