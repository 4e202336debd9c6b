import { TOTP } from 'otpauth'

import { authContract } from '#contract/auth.ts'
import type { RegisteredUser } from './a-user.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

const STEP_MS = 30_000

/** An authenticator app that holds the secret of one account. */
export type Authenticator = {
  /** The code that it shows now, or that many steps of 30 seconds away. */
  code(stepsAway?: number): string
  /** Lets time pass until it shows another code. */
  nextCode(): Promise<string>
  recoveryCodes: string[]
}

/** Turns two-factor login on, as a person with a telephone does. */
export async function turnOnTwoFactor(kit: TestApp, user: RegisteredUser): Promise<Authenticator> {
  const body = { password: user.password }
  const started = await kit.client.call(authContract.startTwoFactor, { body }, user.as)
  const app = { ...authenticatorFor(kit, started.body.secret) }
  const confirmed = await kit.client.call(
    authContract.confirmTwoFactor,
    { body: { code: app.code() } },
    user.as,
  )
  return { ...app, recoveryCodes: confirmed.body.recovery_codes }
}

export function authenticatorFor(
  { clock, passTime }: Pick<TestApp, 'clock' | 'passTime'>,
  secret: string,
): Authenticator {
  const app = new TOTP({ secret })
  const code = (stepsAway = 0) =>
    app.generate({ timestamp: clock.now().getTime() + stepsAway * STEP_MS })
  return {
    code,
    async nextCode() {
      await passTime(STEP_MS)
      return code()
    },
    recoveryCodes: [],
  }
}
