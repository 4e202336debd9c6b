import { createHmac, randomBytes } from 'node:crypto'

import type { Secret } from '#server/ports/runtime.ts'
import type { WebhookSigner } from '#server/ports/webhooks.ts'
import { seal, unseal } from './seal.ts'

const SECRET_PREFIX = 'whsec_'
/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32
const SEALED_AS = 'webhook secret'

/** Signs with HMAC-SHA256 (Standard Webhooks 1.0, `v1`); secrets are stored encrypted. */
export function createWebhookSigner(secretKey: Secret): WebhookSigner {
  return {
    makeSecret(endpointId) {
      const bytes = randomBytes(SECRET_BYTES)
      return {
        secret: SECRET_PREFIX + bytes.toString('base64'),
        sealed: seal(secretKey, SEALED_AS, endpointId, bytes),
      }
    },
    sign({ endpointId, sealed, id, timestamp, body }) {
      const signatures = sealed.map((each) =>
        createHmac('sha256', unseal(secretKey, SEALED_AS, endpointId, each))
          .update(`${id}.${timestamp}.${body}`)
          .digest('base64'),
      )
      return signatures.map((signature) => `v1,${signature}`).join(' ')
    },
  }
}
