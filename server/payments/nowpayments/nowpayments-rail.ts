import type { GatewayCollaborators } from '#server/payments/gateway/gateway-api.ts'
import { createGatewayRail } from '#server/payments/gateway/gateway-rail.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Rail } from '#server/ports/rail.ts'
import { createNowpaymentsApi } from './nowpayments-api.ts'
import { createNowpaymentsMinimum } from './nowpayments-minimum.ts'
import { createNowpaymentsWebhook } from './nowpayments-webhook.ts'
import type { NowpaymentsSettings } from './settings.ts'

const PACE: Pace = { everyMs: 2_000, pauseMs: 5_000, pauseMaxMs: 300_000, recheckMs: 60_000 }

/**
 * Takes payments through NOWPayments.
 * @param publicUrl Where NOWPayments reaches this server; only an encrypted address is sent.
 */
export function createNowpaymentsRail(
  { url, apiKey, ipnSecrets, graceSeconds }: NowpaymentsSettings,
  publicUrl: string | null,
  { outgoing, pace, ...collaborators }: GatewayCollaborators,
): Rail {
  if (apiKey === null) throw new Unavailable('NOWPAYMENTS_API_KEY is not set')
  const access = { outgoing, url, apiKey }
  const callbackUrl = publicUrl?.startsWith('https:')
    ? `${publicUrl}/api/v1/webhooks/nowpayments`
    : null
  return createGatewayRail({
    ...collaborators,
    name: 'nowpayments',
    api: createNowpaymentsApi(access, callbackUrl),
    minimum: createNowpaymentsMinimum(access, collaborators.log),
    readWebhook: createNowpaymentsWebhook(ipnSecrets),
    graceMs: graceSeconds * 1_000,
    pace: pace ?? PACE,
  })
}
