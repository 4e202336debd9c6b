import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { formatDecimal } from '#domain/money.ts'
import type {
  DistributionFiles,
  DistributionRow,
  FileContent,
  FilePart,
} from '#server/ports/distribution-files.ts'
import { safeTransactions } from '#server/payments/evm/payouts/safe-transactions.ts'
import { leafWidth, writeLeaf } from './write-leaf.ts'
import { writeSchedule } from './write-schedule.ts'
import { writeStandardTree, writeUniswapTree } from './write-trees.ts'

const CSV = 'text/csv; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** What each tool reads, by the endings of the file names. */
const endings: Record<DistributionTool, readonly string[]> = {
  sablier_instant: ['sablier.csv'],
  sablier_linear: ['sablier.csv', 'schedule.json'],
  sablier_tranched: ['sablier.csv', 'schedule.json'],
  safe_airdrop: ['safe.csv'],
  safe_transactions: ['safe.json'],
  openzeppelin: ['tree.json'],
  uniswap: ['uniswap.json'],
  hedgey: ['hedgey.csv', 'tree.json'],
  streamflow: ['streamflow.csv'],
  plain: ['plain.csv'],
}

/**
 * The files that tools read: no byte-order mark, LF as line end, a decimal point and neither
 * exponents nor separators. They are written while their rows are read.
 */
export const distributionFiles: DistributionFiles = {
  async readAddress(text) {
    const { getAddress, isAddress } = await import('viem/utils')
    return isAddress(text) ? getAddress(text) : null
  },
  leafWidth,
  writeLeaf,
  list: ({ id, tool, rowCount }) =>
    endings[tool].flatMap((ending) => {
      const mediaType = ending.endsWith('.csv') ? CSV : JSON_TYPE
      if (ending === 'schedule.json') {
        return [{ name: nameOf(id, ending), mediaType, firstRow: 0, rowCount: 0 }]
      }
      const { rowsPerFile } = toolTraits[tool]
      const count = Math.ceil(rowCount / rowsPerFile)
      return Array.from({ length: count }, (_, nth): FilePart => {
        const firstRow = nth * rowsPerFile
        return {
          name: nameOf(id, count === 1 ? ending : `${nth + 1}-of-${count}.${ending}`),
          mediaType,
          firstRow,
          rowCount: Math.min(rowsPerFile, rowCount - firstRow),
        }
      })
    }),
  write(content, part) {
    const ending = part.name.split('.').slice(-2).join('.')
    switch (ending) {
      case 'safe.csv':
        return writeSafeCsv(content, part)
      case 'safe.json':
        return writeSafeTransactions(content, part)
      case 'streamflow.csv':
        return writeStreamflow(content)
      case 'schedule.json':
        return writeSchedule(content)
      case 'tree.json':
        return writeStandardTree(content)
      case 'uniswap.json':
        return writeUniswapTree(content)
      default:
        return writeAddressesAndAmounts(content)
    }
  },
}

function nameOf(id: bigint, ending: string): string {
  return `distribution-${id}.${ending}`
}

/** Sablier's airdrops, Hedgey, and whatever reads a list of two columns. */
async function* writeAddressesAndAmounts(content: FileContent): AsyncGenerator<string> {
  yield 'address,amount\n'
  for await (const rows of content.rows(0, content.rowCount)) {
    yield rows.map((row) => `${row.address},${wholeUnits(row, content)}\n`).join('')
  }
}

/**
 * As the Safe app “CSV Airdrop” (bh2smith/safe-airdrop) reads it: exactly these columns, and no
 * line end after the last row, which it would count as another row.
 */
async function* writeSafeCsv(content: FileContent, part: FilePart): AsyncGenerator<string> {
  yield 'token_type,token_address,receiver,amount,id'
  for await (const rows of content.rows(part.firstRow, part.rowCount)) {
    yield rows
      .map((row) => `\nerc20,${content.token},${row.address},${wholeUnits(row, content)},`)
      .join('')
  }
}

async function* writeSafeTransactions(
  content: FileContent,
  part: FilePart,
): AsyncGenerator<string> {
  const transfers = []
  for await (const rows of content.rows(part.firstRow, part.rowCount)) {
    for (const { address, amount } of rows) {
      transfers.push({ address, amount, contract: content.token })
    }
  }
  const nth = part.firstRow / toolTraits[content.tool].rowsPerFile + 1
  yield await safeTransactions({
    chainId: content.chainId,
    createdAt: content.madeAt,
    name: `Distribution ${content.id}, part ${nth}`,
    description: `${transfers.length} transfers`,
    transfers,
  })
}

/** Base units; all of it is free at once (Streamflow's distributor, category `Staker`). */
async function* writeStreamflow(content: FileContent): AsyncGenerator<string> {
  yield 'pubkey,amount_unlocked,amount_locked,category\n'
  for await (const rows of content.rows(0, content.rowCount)) {
    yield rows.map(({ address, amount }) => `${address},${amount},0,Staker\n`).join('')
  }
}

function wholeUnits({ amount }: DistributionRow, { decimals }: FileContent): string {
  return formatDecimal(amount, decimals)
}
