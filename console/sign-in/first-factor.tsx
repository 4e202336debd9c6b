import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ResultOf } from '#contract/endpoint.ts'
import { signInContract } from '#contract/operator/account.ts'
import { OneTimeCode } from '#contract/shapes.ts'
import { AuthenticatorSecret } from '#console/session/authenticator-secret.tsx'
import { deviceWord, hasPasskeys, makePasskey, passkeyFault } from '#console/session/passkey.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button } from '#web/ui/actions.tsx'
import { FieldError, TextField } from '#web/ui/fields/text-field.tsx'
import { Or } from './frame.tsx'

const FAILED = 'The server does not answer. Try again in a moment'

interface FirstFactorProps {
  token: string
  person: { name: string; password: string }
  onAccepted: (recoveryCodes: readonly string[]) => void
  onBack: () => void
}

/** A passkey, or an authenticator app if passkeys are not available. */
export function FirstFactor(props: FirstFactorProps) {
  const [secret, setSecret] = useState<Secret | null>(null)
  if (secret !== null) {
    return <AppStep {...props} secret={secret} onBack={() => setSecret(null)} />
  }
  return <Choice {...props} onSecret={setSecret} />
}

type Secret = ResultOf<typeof signInContract.startInvitedAuthenticator>

function Choice(props: FirstFactorProps & { onSecret: (secret: Secret) => void }) {
  const { token, person, onAccepted, onBack, onSecret } = props
  const [fault, setFault] = useState<string>()
  const [busyWith, setBusyWith] = useState<'passkey' | 'app' | null>(null)
  const isPasskeyFirst = hasPasskeys()

  async function withBusy(what: 'passkey' | 'app', work: () => Promise<void>) {
    setFault(undefined)
    setBusyWith(what)
    try {
      await work()
    } catch (error) {
      setFault(passkeyFault(error, FAILED))
    } finally {
      setBusyWith(null)
    }
  }

  const addPasskey = () =>
    withBusy('passkey', async () => {
      const body = { token }
      const options = await call(signInContract.getInvitedPasskeyCreation, { body })
      const passkey = await makePasskey(options)
      const given = { ...body, ...person, passkey, passkey_name: deviceWord() }
      const reply = await call(signInContract.acceptInvitation, { body: given })
      onAccepted(reply.recovery_codes)
    })
  const startApp = () =>
    withBusy('app', async () =>
      onSecret(await call(signInContract.startInvitedAuthenticator, { body: { token } })),
    )

  return (
    <div className="flex flex-col gap-4">
      {isPasskeyFirst ? (
        <>
          <Button isFullWidth isBusy={busyWith === 'passkey'} onClick={() => void addPasskey()}>
            <KeyRound size={20} />
            Make a passkey
          </Button>
          <Or />
        </>
      ) : (
        <p className="text-quiet">This browser does not support passkeys at this address.</p>
      )}
      <Button
        variant={isPasskeyFirst ? 'secondary' : 'primary'}
        isFullWidth
        isBusy={busyWith === 'app'}
        onClick={() => void startApp()}
      >
        <Smartphone size={20} />
        Use an authenticator app
      </Button>
      <FieldError id="factor-error" error={fault} keepsLine={false} />
      <Button variant="quiet" onClick={onBack}>
        Back
      </Button>
    </div>
  )
}

const schema = z.object({ code: OneTimeCode })

function AppStep(props: FirstFactorProps & { secret: Secret }) {
  const { token, person, secret, onAccepted, onBack } = props
  const form = useForm({
    schema,
    initial: { code: '' },
    async onSubmit({ code }) {
      const body = { token, ...person, code: code.replaceAll(/\s/g, '') }
      const reply = await call(signInContract.acceptInvitation, { body })
      onAccepted(reply.recovery_codes)
    },
    onFault(error) {
      form.refuse('code', messageOf(error, FAILED))
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AuthenticatorSecret {...secret} />
      <TextField
        {...form.text('code')}
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        className="tabular"
      />
      <Button type="submit" isFullWidth isBusy={form.isSubmitting}>
        Continue
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Back
      </Button>
    </form>
  )
}
