import type { Sale } from '#domain/sale/sale.ts'
import { parseApiUrl, parseSecrets } from '#server/payments/gateway/gateway-access.ts'
import { listUnset, parseGraceSeconds, secret, type Variables } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'

export type NowpaymentsSettings = Readonly<{
  url: string
  apiKey: Secret | null
  /** Two while the old one is being replaced. */
  ipnSecrets: readonly Secret[]
  graceSeconds: number
}>

const API_URL = 'https://api.nowpayments.io/v1'
/** It says only when it has noticed a payment, not when that was sent. */
const GRACE_SECONDS = 300

export function readNowpaymentsSettings({ read }: Variables): NowpaymentsSettings {
  return {
    url: read('NOWPAYMENTS_URL', API_URL, parseApiUrl),
    apiKey: read('NOWPAYMENTS_API_KEY', null, secret),
    ipnSecrets: read('NOWPAYMENTS_IPN_SECRET', [], parseSecrets),
    graceSeconds: read('NOWPAYMENTS_GRACE_SECONDS', GRACE_SECONDS, parseGraceSeconds),
  }
}

export function listMissingForNowpayments(
  { url, apiKey, ipnSecrets }: NowpaymentsSettings,
  { paymentTokens }: Sale,
): string[] {
  const taken = paymentTokens.filter(({ rail }) => rail === 'nowpayments')
  if (taken.length === 0) return []
  const needed = { NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecrets }
  const real = taken.find(({ testNetwork }) => testNetwork === null)
  const test = taken.find(({ testNetwork }) => testNetwork !== null)
  const { hostname } = new URL(url)
  return [
    ...listUnset(needed, 'the sale takes payments by NOWPayments'),
    ...(real !== undefined && hostname.includes('sandbox')
      ? [
          `NOWPAYMENTS_URL must not be that of its sandbox: the sale takes real ${real.symbol} ` +
            '(test coins have network: testnet in the sale file, and need a database of their own)',
        ]
      : []),
    ...(test !== undefined && hostname === new URL(API_URL).hostname
      ? [
          `NOWPAYMENTS_URL must be that of its sandbox: the sale takes ${test.symbol} as a test coin, ` +
            'which pages call worthless (real coins have no network in the sale file)',
        ]
      : []),
  ]
}
