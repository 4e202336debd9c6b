import type { PaymentToken } from '#domain/sale/sale.ts'
import { quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aPaymentToken, dollars, priced } from '#tests/kit/builders/domain-builders.ts'
import { BTCPAY_KEY, BTCPAY_SECRET, STORE } from './btcpay-server.ts'
import { onTokens } from './evm-app.ts'
import { IPN_SECRET, NOWPAYMENTS_KEY } from './nowpayments-server.ts'
import { startApp, type TestApp, type TestAppOptions } from './start-app.ts'

/** Bitcoin, at a gateway. */
export function atGateway(
  rail: 'nowpayments' | 'btcpay',
  code: string,
  changes: Partial<PaymentToken> = {},
): PaymentToken {
  return aPaymentToken({
    id: 'btc',
    name: 'Bitcoin',
    symbol: 'BTC',
    chain: 'BTC',
    decimals: 8,
    minUsd: dollars('0'),
    fixedPrice: priced('50000'),
    rail,
    providerIds: { [rail]: code },
    chainId: null,
    ...changes,
  })
}

/** The whole server with a sale that is paid by gateways. */
export async function startGatewayApp(
  tokens: readonly PaymentToken[],
  urls: { nowpayments?: string; btcpay?: string },
  options: Pick<TestAppOptions, 'pace' | 'open'> = {},
): Promise<TestApp> {
  return await startApp({
    changeSale: (sale) => onTokens(quickSale(sale), tokens),
    ...options,
    environment: {
      NOWPAYMENTS_API_KEY: NOWPAYMENTS_KEY,
      NOWPAYMENTS_IPN_SECRET: IPN_SECRET,
      ...(urls.nowpayments && { NOWPAYMENTS_URL: urls.nowpayments }),
      ...(urls.btcpay && { BTCPAY_URL: urls.btcpay }),
      BTCPAY_STORE_ID: STORE,
      BTCPAY_API_KEY: BTCPAY_KEY,
      BTCPAY_WEBHOOK_SECRET: BTCPAY_SECRET,
    },
  })
}
