import { transferCall } from '#server/payments/evm/calls/abi.ts'

export type SafeTransfer = {
  address: string
  /** In base units. */
  amount: bigint
  /** Of the token, with its checksum; null for the chain's own coin. */
  contract: string | null
}

export type SafeTransactions = {
  chainId: number
  createdAt: Date
  name: string
  description: string
  transfers: readonly SafeTransfer[]
}

/**
 * As Safe's Transaction Builder writes and reads it (safe-global/safe-react-apps). Amounts are in
 * base units, as text, since JSON numbers are exact only up to 2^53.
 */
export async function safeTransactions({
  chainId,
  createdAt,
  name,
  description,
  transfers,
}: SafeTransactions): Promise<string> {
  const { getAddress, keccak256, stringToBytes } = await import('viem/utils')
  const file = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: createdAt.getTime(),
    meta: {
      name,
      description,
      txBuilderVersion: '1.18.2',
      createdFromSafeAddress: '',
      createdFromOwnerAddress: '',
    },
    transactions: transfers.map(({ address, amount, contract }) =>
      contract === null
        ? { to: address, value: String(amount), data: '0x' }
        : { to: getAddress(contract), value: '0', data: transferCall(address, amount) },
    ),
  }
  const checksum = keccak256(
    stringToBytes(serialise({ ...file, meta: { ...file.meta, name: null } })),
  )
  return `${JSON.stringify({ ...file, meta: { ...file.meta, checksum } }, null, 2)}\n`
}

/**
 * The text over which the Transaction Builder computes the checksum: keys in order, commas after
 * values.
 */
export function serialise(json: unknown): string {
  if (Array.isArray(json)) return `[${json.map(serialise).join(',')}]`
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  const entries = Object.entries(json).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const keys = JSON.stringify(entries.map(([key]) => key))
  return `{${keys}${entries.map(([, value]) => `${serialise(value)},`).join('')}}`
}
