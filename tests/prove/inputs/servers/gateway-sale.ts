import { BTCPAY_KEY, BTCPAY_SECRET, STORE, startBtcpay } from '#tests/kit/servers/btcpay-server.ts'
import {
  IPN_SECRET,
  NOWPAYMENTS_KEY,
  startNowpayments,
} from '#tests/kit/servers/nowpayments-server.ts'
import { reroutedTo, startPriceFeeds } from '#tests/kit/servers/price-feed-servers.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { startSmtpServer } from '#tests/kit/servers/smtp-server.ts'
import { createTestClock } from '#tests/kit/servers/test-clock.ts'
import { startWatchedServer } from './watched-server.ts'

/** A sale that two gateways take the payments of. */
const GATEWAY_SALE = `purchases: { expire_after_minutes: 60, open_per_user: 1000 }
${SMALL_SALE_FILE}`
  .replace('1000\n', '1000000000\n')
  .replace(
    /payment_tokens:\n[^]*(?=stages:)/,
    `payment_tokens:
  - { id: btc, name: Bitcoin, short_name: BTC, chain: BTC, decimals: 8, min_amount_fiat: 1, payment_provider_ids: { nowpayments: btc } }
  - { id: btc-own, name: Bitcoin by BTCPay, short_name: BTC, chain: BTC, decimals: 8, min_amount_fiat: 1, payment_provider_ids: { btcpay: BTC-CHAIN } }
`,
  )

/** A server whose payments two played gateways take, and whose mails a played mail server. */
export async function startGatewayServer() {
  const nowpayments = await startNowpayments()
  const btcpay = await startBtcpay()
  const smtp = await startSmtpServer()
  const feeds = await startPriceFeeds(createTestClock())
  const stopPlayed = async () => {
    await feeds.stop()
    await nowpayments.stop()
    await btcpay.stop()
    await smtp.close()
  }
  try {
    const server = await startWatchedServer({
      database: 'postgres',
      sale: GATEWAY_SALE,
      environment: {
        ...reroutedTo(feeds, ['coinbase', 'kraken']),
        SMTP_URL: `${smtp.url}/?requireTLS=false`,
        NOWPAYMENTS_API_KEY: NOWPAYMENTS_KEY,
        NOWPAYMENTS_IPN_SECRET: IPN_SECRET,
        NOWPAYMENTS_URL: nowpayments.url,
        BTCPAY_URL: btcpay.url,
        BTCPAY_STORE_ID: STORE,
        BTCPAY_API_KEY: BTCPAY_KEY,
        BTCPAY_WEBHOOK_SECRET: BTCPAY_SECRET,
      },
    })
    const stop = async () => {
      await server.stop()
      await stopPlayed()
    }
    return { ...server, nowpayments, btcpay, stop }
  } catch (fault) {
    await stopPlayed()
    throw fault
  }
}
