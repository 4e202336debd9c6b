import {
  createGatewayRail,
  type GatewayCollaborators,
} from '#server/payments/gateway/gateway-rail.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Rail } from '#server/ports/rail.ts'
import { createBtcpayApi } from './btcpay-api.ts'
import { createBtcpayWebhook } from './btcpay-webhook.ts'
import type { BtcpaySettings } from './settings.ts'

const PACE: Pace = { everyMs: 1_000, pauseMs: 2_000, pauseMaxMs: 60_000, recheckMs: 30_000 }

/** Takes payments by a BTCPay Server. */
export function createBtcpayRail(
  { url, storeId, apiKey, webhookSecrets }: BtcpaySettings,
  expireAfterMs: number,
  { outgoing, pace, ...collaborators }: GatewayCollaborators,
): Rail {
  if (url === null || storeId === null || apiKey === null) {
    throw new Unavailable('BTCPAY_URL, BTCPAY_STORE_ID and BTCPAY_API_KEY are not all set')
  }
  return createGatewayRail({
    ...collaborators,
    name: 'btcpay',
    api: createBtcpayApi({ outgoing, url, storeId, apiKey, expireAfterMs }),
    readWebhook: createBtcpayWebhook(webhookSecrets),
    pace: pace ?? PACE,
  })
}
