import { releasedOf } from '#domain/delivery/release.ts'
import { streamedAt, type ToolSchedule } from '#domain/delivery/tool-schedule.ts'
import { add, greatest, least, subtract, type TokenAmount, tokenAmount } from '#domain/money.ts'
import { monthsAfter, scheduleOf } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { type DueOwner, readDueOwners } from '#server/database/delivery/due-owners.ts'
import { findSchedules } from '#server/database/delivery/distributions.ts'
import type { Database } from '#server/database/tables/tables.ts'

export type DueRow = {
  place: number
  address: string
  /** What the contract can count: the rest stays due. */
  tokens: TokenAmount
  /** The same in base units of the token's contract. */
  amount: bigint
  /** Whose tokens they are: several accounts may have one wallet. */
  parts: { userId: string; tokens: TokenAmount }[]
}

/** What comes to nothing in base units of the contract, and the wallets of which that is all. */
export type Dust = { count: number; tokens: TokenAmount }

export type DueQuestion = {
  sale: Pick<Sale, 'project' | 'vesting' | 'stages'>
  /** Of the token's contract. */
  decimals: number
  snapshot: number
  /** Months after the start; null for everything. */
  through: number | null
  /** The distribution in the making, which has given nothing yet. */
  makingId: bigint | null
}

/**
 * What every wallet of a snapshot is due, in the order of addresses: what is released to its owners
 * less what distributions have given them, of a stream only what it has released by then. Never
 * more than what they own and were not given at all. Repeated reads agree as long as the lock on
 * distributions is held.
 */
export async function* readDueRows(
  database: Database,
  question: DueQuestion,
): AsyncGenerator<{ rows: readonly DueRow[]; dust: Dust }> {
  const { sale, decimals, snapshot, makingId } = question
  const schedules = await findSchedules(database)
  let place = 0
  let open: DueRow | null = null
  const finish = (row: DueRow, into: { rows: DueRow[]; dust: Dust }) => {
    const rest = cutToContractUnits(row, sale.project.decimals, decimals)
    const isDust = row.amount === 0n
    into.dust = {
      count: into.dust.count + (isDust ? 1 : 0),
      tokens: add(into.dust.tokens, rest),
    }
    if (isDust) return
    row.place = place
    place += 1
    into.rows.push(row)
  }
  for await (const owners of readDueOwners(database, snapshot, makingId)) {
    const batch = { rows: [] as DueRow[], dust: { count: 0, tokens: tokenAmount(0n) } }
    for (const owner of owners) {
      const tokens = dueOf(owner, question, schedules)
      if (tokens === 0n) continue
      const part = { userId: owner.userId, tokens }
      if (open !== null && open.address === owner.address) {
        open.tokens = tokenAmount(open.tokens + tokens)
        open.parts.push(part)
        continue
      }
      if (open !== null) finish(open, batch)
      open = { place: 0, address: owner.address, tokens, amount: 0n, parts: [part] }
    }
    yield batch
  }
  const last = { rows: [] as DueRow[], dust: { count: 0, tokens: tokenAmount(0n) } }
  if (open !== null) finish(open, last)
  yield last
}

function dueOf(
  { stages, given, streams }: DueOwner,
  { sale, through }: DueQuestion,
  schedules: ReadonlyMap<string, ToolSchedule>,
): TokenAmount {
  const left = subtract(add(...stages.map(({ tokens }) => tokens)), given)
  return greatest(through === null ? left : least(left, releasedDue(through)), tokenAmount(0n))

  /** Tokens that a stream still holds back were given, but are no part of what is released. */
  function releasedDue(months: number): TokenAmount {
    const holdings = stages.map(({ stageId, tokens }) => {
      return { tokens, schedule: scheduleOf(sale, stageId) }
    })
    const startsAt = sale.vesting?.startsAt ?? null
    const held = streams.map(({ distributionId, tokens }) => {
      const schedule = schedules.get(distributionId)
      if (schedule === undefined || startsAt === null) return tokenAmount(0n)
      return subtract(tokens, streamedAt(tokens, schedule, monthsAfter(startsAt, months)))
    })
    return subtract(add(releasedOf(holdings, months), ...held), given)
  }
}

/**
 * Leaves in a row what the contract can count. What is left over is taken off its last owners, who
 * are due it still. Returns how much that is.
 */
function cutToContractUnits(
  row: DueRow,
  saleDecimals: number,
  contractDecimals: number,
): TokenAmount {
  row.amount = toContractUnits(row.tokens, saleDecimals, contractDecimals)
  if (contractDecimals >= saleDecimals) return tokenAmount(0n)
  const counted = tokenAmount(row.amount * 10n ** BigInt(saleDecimals - contractDecimals))
  const rest = subtract(row.tokens, counted)
  row.tokens = counted
  let open = rest
  for (const part of row.parts.toReversed()) {
    const taken = least(open, part.tokens)
    part.tokens = subtract(part.tokens, taken)
    open = subtract(open, taken)
  }
  row.parts = row.parts.filter(({ tokens }) => tokens > 0n)
  return rest
}

/** Base units of the sale in those of the token's contract, rounded down. */
export function toContractUnits(
  tokens: TokenAmount,
  saleDecimals: number,
  contractDecimals: number,
): bigint {
  return contractDecimals >= saleDecimals
    ? tokens * 10n ** BigInt(contractDecimals - saleDecimals)
    : tokens / 10n ** BigInt(saleDecimals - contractDecimals)
}
