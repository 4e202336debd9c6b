import type { Sale } from '#domain/sale/sale.ts'
import { parseApiUrl, parseSecrets } from '#server/payments/gateway/gateway-access.ts'
import { Fault, listUnset, secret, type Variables } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'

export type BtcpaySettings = Readonly<{
  url: string | null
  storeId: string | null
  apiKey: Secret | null
  /** Two while the old one is being replaced. */
  webhookSecrets: readonly Secret[]
}>

export function readBtcpaySettings({ read }: Variables): BtcpaySettings {
  return {
    url: read('BTCPAY_URL', null, parseApiUrl),
    storeId: read('BTCPAY_STORE_ID', null, parseStoreId),
    apiKey: read('BTCPAY_API_KEY', null, secret),
    webhookSecrets: read('BTCPAY_WEBHOOK_SECRET', [], parseSecrets),
  }
}

export function listMissingForBtcpay(
  { url, storeId, apiKey, webhookSecrets }: BtcpaySettings,
  { paymentTokens }: Sale,
): string[] {
  if (!paymentTokens.some(({ rail }) => rail === 'btcpay')) return []
  const needed = {
    BTCPAY_URL: url,
    BTCPAY_STORE_ID: storeId,
    BTCPAY_API_KEY: apiKey,
    BTCPAY_WEBHOOK_SECRET: webhookSecrets,
  }
  return listUnset(needed, 'the sale takes payments by BTCPay Server')
}

function parseStoreId(text: string): string | Fault {
  return /^\w{1,100}$/.test(text)
    ? text
    : new Fault('must be the id of a store: letters and digits')
}
