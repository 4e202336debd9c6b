import { randomBytes } from 'node:crypto'

import { Secret as AppSecret, TOTP } from 'otpauth'

import { seal, unseal } from './seal.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Authenticator } from '#server/ports/security.ts'

const STEP_SECONDS = 30
/** Tolerates a clock that is wrong by one step in either direction. */
const STEPS_OFF_MAX = 1
/** Recommended by RFC 4226, and supported by every authenticator app. */
const SECRET_BYTES = 20
const SEALED_AS = 'two-factor secret'

/** Codes of authenticator apps (RFC 6238), whose secrets are stored encrypted. */
export function createAuthenticator(secretKey: Secret): Authenticator {
  return {
    makeSecret({ userId, email, issuer }) {
      const secret = toSecret(randomBytes(SECRET_BYTES))
      // A colon separates issuer and account in such links.
      const app = new TOTP({ issuer: issuer.replaceAll(':', ' '), label: email, secret })
      const sealed = seal(secretKey, SEALED_AS, userId, secret.bytes)
      return { secret: secret.base32, uri: app.toString(), sealed }
    },
    stepOf({ userId, sealed, code, now }) {
      const secret = toSecret(unseal(secretKey, SEALED_AS, userId, sealed))
      const timestamp = now.getTime()
      const app = new TOTP({ secret, period: STEP_SECONDS })
      const stepsOff = app.validate({ token: code, timestamp, window: STEPS_OFF_MAX })
      return stepsOff === null
        ? null
        : BigInt(TOTP.counter({ period: STEP_SECONDS, timestamp }) + stepsOff)
    },
  }
}

function toSecret(bytes: Uint8Array): AppSecret {
  return new AppSecret({ buffer: new Uint8Array(bytes).buffer })
}
