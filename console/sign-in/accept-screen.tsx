import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { ResultOf } from '#contract/endpoint.ts'
import { signInContract } from '#contract/operator/account.ts'
import { NewPassword, PersonName } from '#contract/shapes.ts'
import { Loaded } from '#console/kit/loaded.tsx'
import { useBegin } from '#console/session/begin.ts'
import { RecoveryCodes } from '#console/session/recovery-codes.tsx'
import { call, CallError } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button, LinkButton } from '#web/ui/actions.tsx'
import { PasswordField, TextField } from '#web/ui/fields/text-field.tsx'
import { FirstFactor } from './first-factor.tsx'
import { Frame } from './frame.tsx'

type Invitation = ResultOf<typeof signInContract.openInvitation>

/** The page of an invitation: a password, a second factor, the recovery codes. */
export function AcceptScreen() {
  const [token] = useState(() => window.location.hash.slice(1))
  // A link in a shared browser's history would let the next person in.
  useEffect(() => window.history.replaceState(window.history.state, '', window.location.pathname))
  const query = useQuery({
    queryKey: ['operator', 'invitation', token],
    queryFn: () => call(signInContract.openInvitation, { body: { token } }),
    staleTime: Infinity,
    retry: (failures, fault) => failures < 2 && !(fault instanceof CallError && fault.isFromServer),
  })
  const { data, error } = query
  if (token === '' || (error instanceof CallError && error.code === 400)) {
    return (
      <Frame
        heading="This link does not work"
        intro={
          token === ''
            ? 'The link is incomplete. Open it from the mail, or copy all of it.'
            : 'An invitation works once, for a day. Ask whoever invited you for a new one.'
        }
      >
        <LinkButton to="/login" variant="secondary">
          Go to sign-in
        </LinkButton>
      </Frame>
    )
  }
  if (data === undefined) {
    return (
      <Frame heading="Welcome">
        <Loaded query={query} what="The invitation" skeleton="h-44">
          {() => null}
        </Loaded>
      </Frame>
    )
  }
  return <Accept token={token} invitation={data} />
}

type Person = { name: string; password: string }

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const begin = useBegin()
  const [person, setPerson] = useState<Person | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) {
    return (
      <Frame heading="Your recovery codes">
        <RecoveryCodes codes={codes} onClose={() => void begin()} />
      </Frame>
    )
  }
  if (person !== null) {
    return (
      <Frame
        heading="Your second factor"
        intro="A password alone is not enough to run a sale. A passkey is the safest and the quickest."
      >
        <FirstFactor
          token={token}
          person={person}
          onAccepted={setCodes}
          onBack={() => setPerson(null)}
        />
      </Frame>
    )
  }
  const { name, email, role } = invitation
  return (
    <Frame
      heading={name === null ? 'Welcome' : `Welcome back, ${name}`}
      intro={
        <>
          You are invited to run the sale with us. Your role is{' '}
          <strong className="text-ink">{role}</strong>, and you sign in as{' '}
          <span className="wrap-anywhere text-ink">{email}</span>.
        </>
      }
    >
      <PersonStep invitation={invitation} onDone={setPerson} />
    </Frame>
  )
}

const schema = z.object({ name: PersonName, password: NewPassword })

function PersonStep(props: { invitation: Invitation; onDone: (person: Person) => void }) {
  const { invitation, onDone } = props
  const form = useForm({
    schema,
    initial: { name: invitation.name ?? '', password: '' },
    onSubmit: async (person) => onDone(person),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <TextField
        {...form.text('name')}
        label="Your name"
        autoComplete="name"
        hint="The other operators see it next to what you do."
      />
      <input type="hidden" name="username" autoComplete="username" value={invitation.email} />
      <PasswordField
        {...form.text('password')}
        label="New password"
        autoComplete="new-password"
        hint="8 to 32 characters, with a letter and a number."
      />
      <Button type="submit" isFullWidth>
        Continue
      </Button>
    </form>
  )
}
