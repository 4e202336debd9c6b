import { createHmac } from 'node:crypto'

import { secret } from './secret.ts'
import type { Secret } from '#server/services.ts'

/**
 * The operator's token where none is set: it follows from the secret key, so that every instance
 * and the operator's command have the same one without anything to store or to hand out.
 */
export function deriveOperatorToken(secretKey: Secret): Secret {
  const mac = createHmac('sha256', secretKey.reveal()).update('operator token')
  return secret(mac.digest('base64url'))
}
