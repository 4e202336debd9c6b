import { randomBytes, randomUUID } from 'node:crypto'
import { getAddress } from 'viem'

import { chunk } from '#server/database/tables/chunk.ts'
import { percentage, type TokenAmount, tokenAmount } from '#domain/money.ts'
import type { Delivery, Sale } from '#domain/sale/sale.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export const TOKEN_CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const STARTS_AT = new Date('2027-01-31T12:00:00Z')

/** A sale that is delivered on BSC: 1 % at the start, rising to 100 % over five months. */
export function deliveredSale(delivery: Partial<Delivery> = {}, token = TOKEN_CONTRACT) {
  return (sale: Sale): Sale => ({
    ...sale,
    project: {
      ...sale.project,
      contract: { chain: 'BSC', address: token, explorerUrl: null },
    },
    delivery: {
      chain: 'BSC',
      chainId: 56,
      decimals: sale.project.decimals,
      treasury: null,
      ...delivery,
    },
    vesting: {
      startsAt: STARTS_AT,
      shape: 'linear',
      tranches: [10_000n, 198_000n, 198_000n, 198_000n, 198_000n, 198_000n].map((part, months) => {
        return { months, percentage: percentage(part) }
      }),
    },
    stages: sale.stages.map((stage) => ({ ...stage, vesting: null })),
  })
}

/** An address without an owner, made from a number. */
export function walletOf(number: bigint | number): string {
  return getAddress(`0x${(BigInt(number) + (0xabcdn << 140n)).toString(16).padStart(40, '0')}`)
}

export type Owner = {
  /** Made where it is left out. */
  userId?: string
  tokens: bigint
  /** Null: none. */
  wallet: string | null
  /** The first one where it is left out. */
  stageId?: string
}

/** Writes the next snapshot as a freeze would, each owner with a purchase. Returns who they are. */
export async function aSnapshot(
  app: TestApp,
  owners: readonly Owner[],
): Promise<{ userId: string; wallet: string | null; tokens: TokenAmount }[]> {
  const missing = owners.filter(({ userId }) => userId === undefined).length
  const users: SeededUser[] = []
  for (let made = 0; made < missing; made += 1000) {
    users.push(...(await manyUsers(app.open.database, Math.min(1000, missing - made))))
  }
  const owned = owners.map(({ userId, tokens, ...owner }) => ({
    ...owner,
    userId: userId ?? users.pop()?.id ?? '',
    tokens: tokenAmount(tokens),
  }))
  await writeSnapshot(app, owned)
  return owned
}

/** Writes the next snapshot, in which each owner has one purchase. Returns its number. */
export async function writeSnapshot(
  { open: { database }, services, clock }: TestApp,
  owners: readonly (Owner & { userId: string })[],
): Promise<number> {
  const newest = await database
    .selectFrom('snapshots')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst()
  const number = (newest?.number ?? 0) + 1
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('snapshots')
      .values({
        number,
        taken_at: clock.now(),
        ledger_position: 1n,
        tokens: tokenAmount(owners.reduce((sum, { tokens }) => sum + tokens, 0n)),
        leaf_count: owners.length,
        owner_count: owners.length,
        root: randomBytes(32),
        reason: number === 1 ? null : 'A correction',
      })
      .execute()
    for (const part of chunk(owners)) {
      const leaves = part.map(({ userId, tokens, stageId }, tree_index) => ({
        snapshot: number,
        cause_id: randomUUID(),
        user_id: userId,
        stage_id: stageId ?? services.sale.stages[0]?.id ?? '',
        tokens: tokenAmount(tokens),
        salt: randomBytes(32),
        tree_index,
      }))
      await transaction.insertInto('snapshot_leaves').values(leaves).execute()
      const rows = part.map(({ userId, tokens, wallet }) => ({
        snapshot: number,
        user_id: userId,
        tokens: tokenAmount(tokens),
        address: wallet,
      }))
      await transaction.insertInto('snapshot_owners').values(rows).execute()
    }
  })
  return number
}
