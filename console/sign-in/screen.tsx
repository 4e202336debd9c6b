import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import * as z from 'zod/mini'
import { signInContract } from '#contract/operator/account.ts'
import { GivenEmail, GivenPassword, OneTimeCode } from '#contract/shapes.ts'
import { useBegin } from '#console/session/begin.ts'
import { hasPasskeys, passkeyFault, signWithPasskey } from '#console/session/passkey.ts'
import { call, messageOf } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { FieldError, PasswordField, TextField } from '#web/ui/fields/text-field.tsx'
import { Frame, Or } from './frame.tsx'

const FAILED = 'The server does not answer. Try again in a moment'

/** Where an operator signs in: with only a passkey, or with email, password and a code. */
export function SignInScreen() {
  const isPasskeyFirst = hasPasskeys()
  const state = useLocation().state as { hasEnded?: boolean } | null
  return (
    <Frame heading="Sign in" intro="For the people who run the sale.">
      {state?.hasEnded === true && (
        <div role="status">
          <Banner tone="info">
            Your session has ended. Sign in to go back to where you were. Anything you had not
            submitted was not saved.
          </Banner>
        </div>
      )}
      {isPasskeyFirst && (
        <>
          <PasskeySignIn />
          <Or />
        </>
      )}
      <PasswordSignIn isPrimary={!isPasskeyFirst} />
      <p className="text-14 text-quiet">
        Lost your passkey or your phone? Sign in with a recovery code in place of the code, or ask
        an owner to reset your second factors.
      </p>
    </Frame>
  )
}

function PasskeySignIn() {
  const begin = useBegin()
  const [fault, setFault] = useState<string>()
  const { isBusy, attempt } = useAttempt(
    async () => {
      setFault(undefined)
      const options = await call(signInContract.getPasskeyRequest, {})
      const passkey = await signWithPasskey(options)
      await call(signInContract.signInWithPasskey, { body: { passkey } })
      await begin()
    },
    (error) => setFault(passkeyFault(error, FAILED)),
  )
  return (
    <div className="flex flex-col gap-1">
      <Button isFullWidth isBusy={isBusy} onClick={attempt} aria-describedby="passkey-error">
        <KeyRound size={20} />
        Sign in with a passkey
      </Button>
      <FieldError id="passkey-error" error={fault} keepsLine={false} />
    </div>
  )
}

const schema = z.object({ email: GivenEmail, password: GivenPassword, code: OneTimeCode })

function PasswordSignIn({ isPrimary }: { isPrimary: boolean }) {
  const begin = useBegin()
  const [fault, setFault] = useState<string>()
  const form = useForm({
    schema,
    initial: { email: '', password: '', code: '' },
    async onSubmit({ email, password, code }) {
      setFault(undefined)
      const body = { email: email.trim(), password, code: code.replaceAll(/\s/g, '') }
      await call(signInContract.signIn, { body })
      await begin()
    },
    onFault(error) {
      setFault(messageOf(error, FAILED))
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
      <TextField
        {...form.text('email')}
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField {...form.text('password')} label="Password" autoComplete="current-password" />
      <TextField
        {...form.text('code')}
        label="Code from your app, or a recovery code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        className="tabular"
      />
      <Button
        type="submit"
        variant={isPrimary ? 'primary' : 'secondary'}
        isFullWidth
        isBusy={form.isSubmitting}
        aria-describedby="sign-in-error"
      >
        Sign in with a password
      </Button>
      <FieldError id="sign-in-error" error={fault} />
    </form>
  )
}
