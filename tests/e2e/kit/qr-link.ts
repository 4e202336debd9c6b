/**
 * Reads payment links as a wallet does, based only on the texts of BIP-21 and ERC-681: it shares no
 * code and no table with what makes the links.
 */
export type PaymentAsked =
  | { scheme: 'bitcoin' | 'litecoin' | 'dogecoin'; address: string; units: bigint }
  | {
      scheme: 'ethereum'
      chainId: number
      /** The final payee: for a token, the one that the contract is asked to pay. */
      address: string
      /** Null if the chain's own coin is requested. */
      contract: string | null
      units: bigint
    }

const COIN_DECIMALS = 8

/** Throws a sentence for a text that is not a payment link, or one that a wallet could misread. */
export function readPaymentLink(link: string): PaymentAsked {
  const scheme = /^[a-z]+(?=:)/.exec(link)?.[0]
  const rest = link.slice((scheme ?? '').length + 1)
  switch (scheme) {
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
      return { scheme, ...readBip21(rest) }
    case 'ethereum':
      return { scheme, ...readErc681(rest) }
    default:
      throw new Error(`No wallet knows ${link}`)
  }
}

/** BIP-21: `address[?amount=…]`; the amount in whole coins, a decimal with a dot. */
function readBip21(text: string) {
  const { path: address, parameters } = split(text)
  if (!/^[\w-]+$/.test(address)) throw new Error(`No address: ${address}`)
  const amount = only(parameters, ['amount'])['amount'] ?? ''
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || fraction.length > COIN_DECIMALS) {
    throw new Error(`No amount of coins: ${amount}`)
  }
  return { address, units: BigInt(whole + fraction.padEnd(COIN_DECIMALS, '0')) }
}

/** ERC-681: `target[@chain][/function][?parameters]`; amounts in the smallest unit. */
function readErc681(text: string) {
  const { path, parameters } = split(text)
  const [, target = '', chain, call] = /^([^@/?]+)@(\d+)(?:\/(\w+))?$/.exec(path) ?? []
  if (target === '' || chain === undefined) throw new Error(`No target with a chain: ${path}`)
  const chainId = Number(chain)
  if (call === undefined) {
    const { value } = only(parameters, ['value'])
    return { chainId, address: target, contract: null, units: readNumber(value) }
  }
  if (call !== 'transfer') throw new Error(`No call that pays: ${call}`)
  const { address = '', uint256 } = only(parameters, ['address', 'uint256'])
  return { chainId, address, contract: target, units: readNumber(uint256) }
}

/** ERC-681: digits, perhaps with a fraction and an exponent, which together are a whole number. */
function readNumber(text = ''): bigint {
  const [, whole, fraction = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:e(\d+))?$/.exec(text) ?? []
  const zeros = Number(power) - fraction.length
  if (whole === undefined || zeros < 0) throw new Error(`No whole number: ${text}`)
  return BigInt(whole + fraction) * 10n ** BigInt(zeros)
}

function split(text: string): { path: string; parameters: Map<string, string> } {
  const [path = '', query = ''] = text.split('?')
  const pairs = query.split('&').map((pair): [string, string] => {
    const [key = '', value = ''] = pair.split('=')
    return [decodeURIComponent(key), decodeURIComponent(value)]
  })
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`Twice: ${query}`)
  return { path, parameters: new Map(pairs) }
}

/** Exactly these parameters: a wallet may refuse, or misread, what it does not know. */
function only(parameters: Map<string, string>, names: readonly string[]): Record<string, string> {
  const given = [...parameters.keys()].toSorted().join(' ')
  if (given !== names.toSorted().join(' ')) throw new Error(`Parameters: ${given}`)
  return Object.fromEntries(parameters)
}
