import { checksumAddress } from 'viem'
import type { Sale } from '#domain/sale/sale.ts'
import { type ConfirmationRule, parseConfirmations } from '#server/payments/chains/confirmations.ts'
import { type ExtendedKey, parseExtendedKey } from '#server/payments/keys/extended-key.ts'
import { parseNodeUrls } from '#server/payments/chains/nodes/node-urls.ts'
import { Fault, listUnset, parseGraceSeconds, type Variables } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'

/** The settings of the rail `evm`. Chains are identified by their id (EIP-155). */
export type EvmSettings = Readonly<{
  key: ExtendedKey | null
  /** Never empty for a chain that is set; the later ones stand in for the first. */
  nodeUrls: ReadonlyMap<number, readonly Secret[]>
  /** Only where they differ from the defaults. */
  confirmations: ReadonlyMap<number, ConfirmationRule>
  /** Only where they differ from the defaults. */
  graceSeconds: ReadonlyMap<number, number>
  /** The address to which payments are swept, with the checksum of EIP-55. */
  treasuries: ReadonlyMap<number, string>
}>

export const EVM_KEY = 'EVM_XPUB'
/** Where wallets find the account (BIP-44). */
export const EVM_PATH = "m/44'/60'/0'"
const NODE_URL = 'EVM_RPC_URL_'
const CONFIRMATIONS = 'EVM_CONFIRMATIONS_'
const GRACE = 'EVM_GRACE_SECONDS_'
const TREASURY = 'EVM_TREASURY_'

export function readEvmSettings(variables: Variables): EvmSettings {
  return {
    key: variables.read(EVM_KEY, null, (text) =>
      parseExtendedKey(text, { name: EVM_KEY, prefixes: ['xpub'], path: EVM_PATH }),
    ),
    nodeUrls: readByChain(variables, NODE_URL, parseNodeUrls),
    confirmations: readByChain(variables, CONFIRMATIONS, parseConfirmations),
    graceSeconds: readByChain(variables, GRACE, parseGraceSeconds),
    treasuries: readByChain(variables, TREASURY, parseTreasury),
  }
}

/** The settings that the sale needs and that are not set, each as a sentence. */
export function listMissingForEvm(settings: EvmSettings, { paymentTokens }: Sale): string[] {
  const tokens = paymentTokens.filter(({ rail }) => rail === 'evm')
  if (tokens.length === 0) return []
  const chainIds = [...new Set(tokens.flatMap(({ chainId }) => chainId ?? []))]
  return [
    ...listUnset({ [EVM_KEY]: settings.key }, 'the sale takes payments on EVM chains'),
    ...chainIds
      .filter((chainId) => !settings.nodeUrls.has(chainId))
      .map((chainId) => {
        const symbols = tokens.filter((token) => token.chainId === chainId).map((t) => t.symbol)
        const names = symbols.join(', ')
        return `${NODE_URL}${chainId} must be set: the sale takes ${names} on that chain`
      }),
  ]
}

/** In mixed case, which carries a checksum: a wrong letter shows (EIP-55). */
function parseTreasury(text: string): string | Fault {
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(text)
  if (isAddress && checksumAddress(text as `0x${string}`) === text) return text
  return new Fault(
    isAddress
      ? 'must be an address with the capital letters of its checksum, as wallets show it: a letter ' +
          'of this one may be wrong'
      : 'must be an address of 0x and 40 digits, as wallets show it',
  )
}

function readByChain<Value>(
  variables: Variables,
  prefix: string,
  parse: (text: string) => Value | Fault,
): ReadonlyMap<number, Value> {
  const read = variables.startingWith(prefix).flatMap(({ name, suffix }): [number, Value][] => {
    if (!/^[1-9]\d{0,14}$/.test(suffix)) {
      variables.report(`${name} must end in the chain's id, such as ${prefix}1 for Ethereum`)
      return []
    }
    const value = variables.read<Value | null>(name, null, parse)
    return value === null ? [] : [[Number(suffix), value]]
  })
  return new Map(read)
}
