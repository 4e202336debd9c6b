import { camelKeys } from '#domain/key-case.ts'
import { evmTestNetwork, normalizeChain, testNetworks } from '#domain/chains/chain.ts'
import { RESERVED_ASSETS } from '#domain/settlement/ledger.ts'
import { formatDecimal, type Price, PRICE_DECIMALS } from '#domain/money.ts'
import {
  type PaymentToken,
  type PriceOrigin,
  priceOrigins,
  type RailName,
  railNames,
} from '#domain/sale/sale.ts'
import { contract, evmTokens, utxoTokens } from './rail-tokens.ts'
import { gatewayTokens } from './gateway-codes.ts'
import type { Place } from '#server/sale-file/document/place.ts'
import {
  converted,
  list,
  optional,
  type Reader,
  record,
  required,
  section,
  unique,
} from '#server/sale-file/document/readers.ts'
import {
  dollars,
  identifier,
  oneOf,
  text,
  trueOrFalse,
  unitPrice,
  wholeNumber,
} from '#server/sale-file/document/values.ts'

const PROVIDERS = `a map of rails (${railNames.join(', ')}) to the token’s name there`

/** The first rail listed takes the payments. */
const providers = converted(
  record(text(100), {
    expected: PROVIDERS,
    key: oneOf(...railNames),
    countMax: railNames.length,
  }),
  (ids, place) => {
    const rail = railNames.find((name) => name === Object.keys(ids)[0])
    if (rail === undefined) return place.fault(`expected ${PROVIDERS}, found an empty map`)
    return { rail, ids }
  },
)

const ownAsset = converted(identifier, (id, place) =>
  RESERVED_ASSETS.includes(id)
    ? place.mismatch(
        `another id than ${RESERVED_ASSETS.join(' and ')}, which the ledger uses itself`,
      )
    : id,
)

/** Of a coin that hardly divides, buyers would be charged up to a whole one more than is quoted. */
const payableDecimals = converted(wholeNumber(0, 36), (decimals, place) =>
  decimals < 2
    ? place.mismatch('2 or more, since what is due is rounded up to the last decimal')
    : decimals,
)

/** The cryptocurrencies that buyers may pay in. */
export const paymentTokens: Reader<readonly PaymentToken[]> = converted(
  list(paymentToken, {
    expected: 'a list of 1 to 100 payment tokens',
    countMin: 1,
    countMax: 100,
  }),
  (tokens, place) =>
    tokens.some(({ isEnabled }) => isEnabled)
      ? tokens
      : place.fault('expected at least one payment token that is enabled, found none'),
)

function paymentToken(): Reader<PaymentToken> {
  const hasIdOfItsOwn = unique('an id')
  const hasPriceOfItsSymbol = onePricePerSymbol()
  const hasRailLikeOthers = sandboxAloneOrNotAtAll()
  const isOfOneWorld = testsAloneOrNotAtAll()
  const hasOriginOfItsSymbol = oneOriginPerSymbol()
  const isEvmToken = evmTokens()
  const isUtxoToken = utxoTokens()
  const hasCodeOfItsOwn = gatewayTokens()
  return section(
    'a map of the payment token’s fields',
    {
      id: required(ownAsset),
      name: required(text(60)),
      short_name: required(text(16)),
      chain: required(text(40)),
      decimals: required(payableDecimals),
      min_amount_fiat: required(dollars),
      fixed_price: optional(unitPrice, null),
      price_from: optional<PriceOrigin>(oneOf(...priceOrigins), 'feeds'),
      network: optional(oneOf(...testNetworks), null),
      chain_id: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), null),
      contract: optional(contract, null),
      enabled: optional(trueOrFalse, true),
      payment_provider_ids: required(providers),
    },
    {
      check(token, place) {
        const rail = token.payment_provider_ids?.rail
        hasIdOfItsOwn(token.id, place.at('id'))
        hasPriceOfItsSymbol(token.short_name, token.fixed_price, place.at('fixed_price'))
        hasRailLikeOthers(rail, place.at('payment_provider_ids'))
        if (rail === 'sandbox' && token.fixed_price === null) {
          place.at('fixed_price').mismatch(`${unitPrice.expected}, which the sandbox starts from`)
        }
        if (token.price_from === 'fixed' && token.fixed_price === null) {
          place.at('fixed_price').mismatch(`${unitPrice.expected}, since the price comes from here`)
        }
        hasOriginOfItsSymbol(token.short_name, token.price_from, place.at('price_from'))
        if (rail !== undefined && rail !== 'sandbox' && token.chain_id !== undefined) {
          isOfOneWorld(testNetworkOf(token.network, token.chain_id), place.at('network'))
        }
        if (rail === 'evm') isEvmToken(token, place)
        if (rail === 'utxo') isUtxoToken(token, place)
        hasCodeOfItsOwn(token, place)
      },
      build: ({
        short_name,
        min_amount_fiat,
        network,
        enabled,
        payment_provider_ids,
        ...rest
      }) => ({
        ...camelKeys(rest),
        symbol: short_name,
        chain: normalizeChain(rest.chain),
        minUsd: min_amount_fiat,
        testNetwork: testNetworkOf(network, rest.chain_id),
        rail: payment_provider_ids.rail,
        providerIds: payment_provider_ids.ids,
        isEnabled: enabled,
      }),
    },
  )
}

/** Prices go by symbol, so that a coin on two chains has one price. */
function onePricePerSymbol() {
  const prices = new Map<string, Price>()
  return (symbol: string | undefined, price: Price | null | undefined, place: Place) => {
    if (symbol === undefined || !price) return
    const first = prices.get(symbol) ?? price
    prices.set(symbol, first)
    if (price === first) return
    place.mismatch(`${formatDecimal(first, PRICE_DECIMALS)}, the price of ${symbol} above`)
  }
}

/** For the same reason: otherwise buyers would pay for one coin at prices from another source. */
function oneOriginPerSymbol() {
  const origins = new Map<string, PriceOrigin>()
  return (symbol: string | undefined, origin: PriceOrigin | undefined, place: Place) => {
    if (symbol === undefined || origin === undefined) return
    const first = origins.get(symbol) ?? origin
    origins.set(symbol, first)
    if (origin !== first) place.mismatch(`${first}, as ${symbol} has it above`)
  }
}

/** On an EVM chain, its id says it. */
function testNetworkOf(
  network: string | null | undefined,
  chainId: number | null | undefined,
): string | null {
  return network ?? (chainId ? evmTestNetwork(chainId) : null)
}

/** Buyers who pay with worthless coins would get tokens that others have paid for. */
function testsAloneOrNotAtAll() {
  let isFirstTest: boolean | undefined
  return (testNetwork: string | null, place: Place) => {
    const isTest = testNetwork !== null
    isFirstTest ??= isTest
    if (isTest === isFirstTest) return
    place.mismatch(
      isFirstTest
        ? 'a test network, since coins of test networks and real ones do not mix'
        : 'no test network, since coins of test networks and real ones do not mix',
    )
  }
}

/** A partly simulated sale would give away real tokens. */
function sandboxAloneOrNotAtAll() {
  let first: RailName | undefined
  return (rail: RailName | undefined, place: Place) => {
    first ??= rail
    if (rail === undefined || (rail === 'sandbox') === (first === 'sandbox')) return
    const expected = first === 'sandbox' ? 'the rail sandbox' : 'a rail other than sandbox'
    place.fault(`expected ${expected}, since sandbox and real rails do not mix, found ${rail}`)
  }
}
