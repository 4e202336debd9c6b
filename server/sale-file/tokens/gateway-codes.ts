import { bitcoinChain, knownEvmChain, normalizeChain } from '#domain/chains/chain.ts'
import { gatewayCoinName } from '#domain/sale/gateway-coin-name.ts'
import {
  type GatewayName,
  gatewayNames,
  type PaymentToken,
  type RailName,
} from '#domain/sale/sale.ts'
import type { Place } from '#server/sale-file/document/place.ts'

/** Symbols that mean one coin wherever a gateway's code begins with them. */
const COINS = (
  'aave ada bch bnb btc dai dash doge dot etc eth link ltc matic pol shib sol ton trx uni usdc usdt ' +
  'xlm xmr xrp zec'
).split(' ')
const OTHER_SYMBOLS: Readonly<Record<string, string>> = { pol: 'matic', xbt: 'btc' }

/** How NOWPayments' codes go on after a symbol, with the id of the chain where that is known. */
const NETWORKS: ReadonlyMap<string, number | null> = new Map([
  ['erc20', 1],
  ['bsc', 56],
  ['bep20', 56],
  ['matic', 137],
  ['polygon', 137],
  ...(
    'algo arb arbitrum arc20 avaxc base celo dot eos kava kcc lna near op sol ton trc20 xlm xtz ' +
    'zksync'
  )
    .split(' ')
    .map((network): [string, null] => [network, null]),
])

/** Codes of NOWPayments that name no network, and mean the coin on Ethereum. */
const ON_ETHEREUM = new Set(['aave', 'dai', 'link', 'matic', 'shib', 'uni', 'usdc', 'usdt'])

type CodedToken = {
  short_name: string | undefined
  chain: string | undefined
  chain_id: number | null | undefined
  enabled: boolean | undefined
  payment_provider_ids: { rail: RailName; ids: Readonly<Record<string, string>> } | undefined
}

/**
 * Reports codes that are certainly wrong. Prices go by symbol, so another coin's code would sell
 * that coin at a wrong price. A token that is not enabled keeps its code, right or wrong.
 */
export function gatewayTokens(): (token: CodedToken, place: Place) => void {
  const seen = new Map<string, string>()
  return ({ short_name: symbol, chain, enabled, payment_provider_ids: given, ...rest }, place) => {
    const gateway = gatewayNames.find((name) => name === given?.rail)
    const code = given?.ids[gateway ?? ''] ?? ''
    if (gateway === undefined || symbol === undefined || chain === undefined) return
    if (enabled === false) return
    const at = place.at('payment_provider_ids').at(gateway)
    const name = gatewayCoinName(gateway, code)
    const token = `${symbol} on ${normalizeChain(chain)}`
    const first = seen.get(`${gateway} ${name}`) ?? token
    seen.set(`${gateway} ${name}`, first)
    if (first !== token) at.mismatch(`another code than that of ${first} above`)
    const read = readCode(gateway, name)
    const own = plainSymbol(symbol)
    // What cannot be known is left to whoever wrote the code.
    if (read === null || own === null) return
    // A symbol of the seller's own, such as BITCOIN or WETH, may stand for any coin.
    if (own !== read.coin && COINS.includes(own)) {
      at.mismatch(`a code of ${symbol}, not of another coin`)
    } else if (isElsewhere(read.network, chain, rest.chain_id ?? null)) {
      at.mismatch(`a code of ${token}, not of another network`)
    }
  }
}

/** Whether a code is of a coin that is not called so, or does not even contain the symbol. */
export function isDoubtfulCode(gateway: GatewayName, code: string, symbol: string): boolean {
  const name = gatewayCoinName(gateway, code)
  const own = plainSymbol(symbol)
  const read = readCode(gateway, name)
  return own !== null && (read === null ? !name.includes(own) : read.coin !== own)
}

/** Whether a code without a network means the coin on Ethereum, while buyers are told another. */
export function isCodeOfEthereum(
  gateway: GatewayName,
  code: string,
  { chain, chainId }: Pick<PaymentToken, 'chain' | 'chainId'>,
): boolean {
  const name = gatewayCoinName(gateway, code)
  return gateway === 'nowpayments' && ON_ETHEREUM.has(name) && isElsewhere('erc20', chain, chainId)
}

/** Null unless it is certain which coin a code means. */
function readCode(
  gateway: GatewayName,
  name: string,
): { coin: string; network: string | null } | null {
  const [first = ''] = name.split('-')
  const found = COINS.find((coin) => {
    if (gateway === 'btcpay' || first === coin) return first === coin
    const rest = name.slice(coin.length)
    return name.startsWith(coin) && (rest === 'mainnet' || NETWORKS.has(rest))
  })
  if (found === undefined) return null
  const rest = name.slice(found.length)
  return { coin: oneSymbol(found), network: NETWORKS.has(rest) ? rest : null }
}

/** Null for a symbol with letters that no code has, such as USD₮. */
function plainSymbol(symbol: string): string | null {
  const plain = symbol.toLowerCase().replaceAll(/[^a-z0-9\u0080-\uffff]/g, '')
  return /^[a-z0-9]+$/.test(plain) ? oneSymbol(plain) : null
}

const oneSymbol = (symbol: string) => OTHER_SYMBOLS[symbol] ?? symbol

function isElsewhere(network: string | null, chain: string, chainId: number | null): boolean {
  if (network === null) return false
  const known = knownEvmChain(chain, chainId)
  return known === null ? bitcoinChain(chain) !== null : NETWORKS.get(network) !== known.chainId
}
