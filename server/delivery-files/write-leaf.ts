import type { DistributionTool } from '#domain/delivery/distribution.ts'
import type { DistributionFiles } from '#server/ports/distribution-files.ts'

const WORD = 32
const ADDRESS = 20

type Field = 'index' | 'address' | 'packedAddress' | 'amount'

const widths: Record<Field, number> = {
  index: WORD,
  address: WORD,
  packedAddress: ADDRESS,
  amount: WORD,
}

/** `abi.encode` of (address, amount), as in OpenZeppelin's example and in Hedgey's campaigns. */
const addressAndAmount: readonly Field[] = ['address', 'amount']
/** `abi.encode` of (index, address, amount): Sablier's `["uint","address","uint256"]`. */
const indexed: readonly Field[] = ['index', 'address', 'amount']
/** `abi.encodePacked` of (index, account, amount): Uniswap's `MerkleDistributor`. */
const packed: readonly Field[] = ['index', 'packedAddress', 'amount']

const leaves: Partial<Record<DistributionTool, readonly Field[]>> = {
  sablier_instant: indexed,
  sablier_linear: indexed,
  sablier_tranched: indexed,
  openzeppelin: addressAndAmount,
  hedgey: addressAndAmount,
  uniswap: packed,
}

export function leafWidth(tool: DistributionTool): number | null {
  const fields = leaves[tool]
  return fields === undefined ? null : fields.reduce((sum, field) => sum + widths[field], 0)
}

export const writeLeaf: DistributionFiles['writeLeaf'] = (tool, into, row) => {
  const width = leafWidth(tool)
  if (width === null) throw new Error(`${tool} has no tree`)
  const bytes = Buffer.from(into.buffer, into.byteOffset, into.length)
  let end = row.place * width
  for (const field of leaves[tool] ?? []) {
    end += widths[field]
    const hex =
      field === 'index'
        ? row.place.toString(16)
        : field === 'amount'
          ? row.amount.toString(16)
          : row.address.slice(2)
    const even = hex.length % 2 === 0 ? hex : `0${hex}`
    // The bytes before it are zero from the start.
    bytes.write(even, end - even.length / 2, 'hex')
  }
}
