import { useState } from 'react'
import * as z from 'zod/mini'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import { OneTimeCode } from '#contract/shapes.ts'
import { Time } from '#console/kit/values.tsx'
import { AuthenticatorSecret } from '#console/session/authenticator-secret.tsx'
import { RecoveryCodes } from '#console/session/recovery-codes.tsx'
import { call, messageOf } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { useKeepAccount } from './queries.ts'

type Secret = ResultOf<typeof accountContract.startAuthenticator>

export function AuthenticatorCard({ account }: { account: OperatorAccount }) {
  const { authenticator_date: since } = account
  const keep = useKeepAccount()
  const [isAsking, setAsking] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  return (
    <Card
      title="Authenticator app"
      aside={
        <Chip tone={since === null ? 'neutral' : 'success'}>{since === null ? 'Off' : 'On'}</Chip>
      }
    >
      <p className="text-quiet">
        {since === null ? (
          'It lets you sign in with your password and a code, even where there are no passkeys.'
        ) : (
          <>
            On since <Time value={since} as="day" />. You sign in with your password and a code from
            it.
          </>
        )}
      </p>
      <SmallButton onClick={() => setAsking(true)} className="self-start">
        {since === null ? 'Set it up' : 'Turn it off'}
      </SmallButton>
      {isAsking && (
        <ProofDialog
          title={since === null ? 'Set up an authenticator app' : 'Turn the authenticator app off'}
          confirm={since === null ? 'Continue' : 'Turn it off'}
          isDangerous={since !== null}
          onClose={() => setAsking(false)}
          onConfirm={async (password) => {
            const body = { password }
            if (since === null) setSecret(await call(accountContract.startAuthenticator, { body }))
            else {
              keep(await call(accountContract.removeAuthenticator, { body }))
              toast.success('The authenticator app is off.')
            }
            setAsking(false)
          }}
        />
      )}
      {secret !== null && <ConfirmDialog secret={secret} onClose={() => setSecret(null)} />}
    </Card>
  )
}

const schema = z.object({ code: OneTimeCode })

function ConfirmDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const keep = useKeepAccount()
  const form = useForm({
    schema,
    initial: { code: '' },
    async onSubmit({ code }) {
      const body = { code: code.replaceAll(/\s/g, '') }
      keep(await call(accountContract.confirmAuthenticator, { body }))
      toast.success('The authenticator app is on.')
      onClose()
    },
    onFault(error) {
      form.refuse('code', messageOf(error, 'The server does not answer'))
    },
  })
  return (
    <Dialog isOpen title="Set up an authenticator app" onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <AuthenticatorSecret {...secret} />
        <TextField
          {...form.text('code')}
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="tabular"
        />
        <Button type="submit" isBusy={form.isSubmitting} className="self-end">
          Turn it on
        </Button>
      </form>
    </Dialog>
  )
}

export function RecoveryCodesCard({ left }: { left: number }) {
  const keep = useKeepAccount()
  const [isAsking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Card
      title="Recovery codes"
      aside={
        left > 2 ? (
          <span className="text-14 text-quiet">{left} left</span>
        ) : (
          <Chip tone="warning">{left} left</Chip>
        )
      }
    >
      <p className="text-quiet">
        Each signs you in once, with your password, when your devices are out of reach.
      </p>
      <SmallButton onClick={() => setAsking(true)} className="self-start">
        Make new codes
      </SmallButton>
      {isAsking && (
        <ProofDialog
          title="Make new recovery codes"
          confirm="Make ten new codes"
          onClose={() => setAsking(false)}
          onConfirm={async (password) => {
            const body = { password }
            const made = await call(accountContract.renewOperatorCodes, { body })
            setCodes(made.recovery_codes)
            setAsking(false)
            keep(await call(accountContract.getAccount, {}))
          }}
        >
          <p>The older ones do not work any more.</p>
        </ProofDialog>
      )}
      {codes !== null && (
        <Dialog isOpen isHeld title="Your recovery codes" onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
        </Dialog>
      )}
    </Card>
  )
}
