import type { GatewayName } from './sale.ts'

/** BTCPay Server's versions have different names for a coin's own chain, and some have none. */
const OWN_CHAIN = /-(?:chain|onchain|btclike|monerolike)$/

/** What all codes that a gateway has for one coin have in common. Gateways ignore their case. */
export function gatewayCoinName(gateway: GatewayName, code: string): string {
  const name = code.toLowerCase()
  return gateway === 'btcpay' ? name.replace(OWN_CHAIN, '') : name
}
