import {
  findDistribution,
  listFiles,
  lockDistributionRow,
} from '#server/database/delivery/distributions.ts'
import { formatDecimal } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { type DistributionRecord, getDistribution } from './distribution-view.ts'
import { contentOf } from './file-content.ts'
import { noSuchDistribution } from './refused.ts'

export type SentFile = { name: string; mediaType: string; texts: AsyncGenerator<string> }

/**
 * One file of a distribution, or its manifest. It shows who owns how much, so reading it is
 * recorded. Refuses with `NotFound`, and with `DistributionClosed` for a file of one that has
 * ended: it would hand out what another one may hand out too. The manifest names nobody, and stays.
 */
export async function readDistributionFile(
  services: Services,
  { id, name }: { id: bigint; name: string },
  operator: Operator,
): Promise<SentFile> {
  const { database, distributionFiles } = services
  const stored = await findDistribution(database, id)
  if (stored === null) throw noSuchDistribution()
  const content = contentOf(database, stored)
  const file = await findFile()
  await database.transaction().execute(async (transaction) => {
    // Whoever ends it holds the row, and withdraws it alone only where no file was read.
    const locked = await lockDistributionRow(transaction, id)
    const hasEnded = locked !== null && locked.ended_at !== null
    if (hasEnded && name !== manifestName(id)) {
      throw new Refusal('DistributionClosed', {
        message: 'This distribution has ended. Its files would hand out tokens a second time',
      })
    }
    const details = { distribution_id: String(id), file: file.name }
    await recordAction(services, transaction, operator, { act: 'getDistributionFile', details })
  })
  return file

  async function findFile(): Promise<SentFile> {
    if (name === manifestName(id)) {
      const record = await getDistribution(services, id)
      const text = `${JSON.stringify(manifestOf(record), null, 2)}\n`
      return { name, mediaType: 'application/json; charset=utf-8', texts: once(text) }
    }
    const part = distributionFiles.list(content).find((each) => each.name === name)
    const isKept = (await listFiles(database, id)).some((each) => each.name === name)
    if (part === undefined || !isKept) {
      throw new Refusal('NotFound', { message: 'This distribution has no file with this name' })
    }
    const { mediaType } = part
    return { name, mediaType, texts: distributionFiles.write(content, part) }
  }
}

export function manifestName(id: bigint): string {
  return `distribution-${id}.manifest.json`
}

/** What accompanies the files, to compare what a tool shows with what was intended. */
function manifestOf(record: DistributionRecord) {
  const { saleDecimals, token_decimals: decimals } = record
  return {
    distribution: String(record.id),
    snapshot: record.snapshot,
    tool: record.tool,
    through_month: record.through,
    chain_id: Number(record.chain_id),
    token: record.token,
    decimals,
    made: record.made_at.toISOString(),
    rows: record.row_count,
    amount: formatDecimal(record.amount, decimals),
    amount_base_units: String(record.amount),
    tokens: formatDecimal(record.tokens, saleDecimals),
    left_out: {
      rows: record.dust_count,
      tokens: formatDecimal(record.dust_tokens, saleDecimals),
    },
    root: rootText(record.root),
    schedule: record.schedule,
    files: record.files.map((file) => ({
      name: file.name,
      rows: file.row_count,
      amount_base_units: String(file.amount),
      bytes: Number(file.bytes),
      sha256: Buffer.from(file.sha256).toString('hex'),
    })),
  }
}

export function rootText(root: Uint8Array | null): string | null {
  return root === null ? null : `0x${Buffer.from(root).toString('hex')}`
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
