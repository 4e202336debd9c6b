import { formatDecimal, formatGrouped, groupThousands, parseDecimal } from '#domain/money.ts'
import { Refusal } from '#domain/refusal.ts'
import { notifyLive } from '#server/database/connection/notify-live.ts'
import { isAnyDifferent, snapshotsCompared } from '#server/database/delivery/differences.ts'
import { findOwnedPosition, readOwnedLeaves } from '#server/database/delivery/owned-tokens.ts'
import {
  findLastSnapshot,
  insertLeaves,
  insertOwners,
  insertSnapshot,
  noteSnapshot,
  type SnapshotRow,
} from '#server/database/delivery/snapshots.ts'
import { insertNodes } from '#server/database/delivery/tree-nodes.ts'
import { holdWallets } from '#server/database/delivery/wallets.ts'
import { findAppliedFileId } from '#server/database/sale/applied-sale.ts'
import { lockPause, savePause } from '#server/database/sale/sale-pause.ts'
import { lockStageCounters } from '#server/database/sale/stage-counters.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { MerkleTree } from '#server/ports/trees.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { actOrWait, requireApproval } from '#server/use-cases/approvals/require-approval.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'
import { inspectInvariants } from '#server/use-cases/operations/guard-invariants.ts'
import { settleDue } from '#server/use-cases/settlement/settle-purchases.ts'
import { booksDisagree, draftSnapshot, saltOf, type SnapshotDraft } from './draft-snapshot.ts'
import { listUndecided } from './list-undecided.ts'

/** What a second person has approved: the number of the snapshot, and of how many tokens. */
type Approved = { number: number; tokens: string }

/**
 * Closes the books, for good: writes snapshot 1 of who owns how many tokens, and pauses the sale,
 * which never resumes. It always waits for a second person: throws `WaitsForApproval`. Refuses with
 * `FreezeRefused`, which lists everything that is undecided, with `Unavailable` if tokens move
 * meanwhile, and with `ApprovalChanged` if their number differs from what was approved.
 */
export async function freeze(services: Services, operator: Operator, approved?: Approved) {
  return await takeSnapshot(services, operator, { reason: null, approved })
}

/**
 * Writes the next snapshot, with what has changed since the last one and why that is right. Refuses
 * like {@link freeze}, and if nothing differs.
 */
export async function correctSnapshot(
  services: Services,
  reason: string,
  operator: Operator,
  approved?: Approved,
): Promise<SnapshotRow> {
  return await takeSnapshot(services, operator, { reason, approved })
}

type Wanted = { reason: string | null; approved: Approved | undefined }

async function takeSnapshot(services: Services, operator: Operator, wanted: Wanted) {
  await settleDue(services)
  await inspectInvariants(services)
  await ask(services, operator, wanted)
  // Made before anything is locked: a large one takes a minute, and buyers' refunds must go on.
  const draft = await draftSnapshot(services)
  const { tree } = draft
  if (tree === null) throw refused('Nobody owns any tokens')
  const snapshot = await actOrWait(services, operator, async (transaction) => {
    // The instant comes after those of all wallets that are set before it.
    await holdWallets(transaction)
    const now = services.clock.now()
    const number = await requireNext(transaction, wanted)
    const row = rowOf(draft, tree, { number, taken_at: now, reason: wanted.reason })
    if (!(await insertSnapshot(transaction, row))) {
      throw refused(`Somebody else has just taken snapshot ${number}. Look at it first`)
    }
    await writeRows(services, transaction, row, { ...draft, tree })
    if (number > 1 && !(await isAnyDifferent(transaction, snapshotsCompared(number)))) {
      throw refused(`Nothing differs from snapshot ${number - 1}, so there is nothing to correct`)
    }
    await requireUnchanged(services, transaction, draft, wanted)
    await pauseForGood(transaction, number, now)
    await noteSnapshot(transaction, number)
    const details = detailsOf(services, row)
    const act = wanted.reason === null ? 'freeze' : 'correctSnapshot'
    await recordAction(services, transaction, operator, { act, details })
    await notifyLive(transaction, [{ kind: 'stage' }])
    return row
  })
  services.market.invalidate()
  return snapshot
}

/**
 * Asks for a second person if the act takes two, once nothing is undecided, and before the work is
 * done; that happens again once they have approved.
 */
async function ask(services: Services, operator: Operator, { reason, approved }: Wanted) {
  await actOrWait(services, operator, async (transaction) => {
    await lockPause(transaction)
    const number = await requireNext(transaction, { reason, approved })
    await requireDecided(services, transaction, { isFrozen: number > 1 })
    const { tokens } = await findOwnedPosition(transaction)
    if (tokens === 0n) throw refused('Nobody owns any tokens')
    const text = formatDecimal(tokens, services.sale.project.decimals)
    const about = {
      summary:
        `${reason === null ? 'Freeze' : 'Correct'} who owns ${groupThousands(text)} ` +
        `${services.sale.project.symbol}, in snapshot ${number}`,
      about: null,
      usd: null,
    }
    const input = { number, tokens: text }
    return reason === null
      ? await requireApproval(services, transaction, operator, { act: 'freeze', input, ...about })
      : await requireApproval(services, transaction, operator, {
          act: 'correctSnapshot',
          input: { ...input, reason },
          ...about,
        })
  })
}

async function requireNext(database: Database, { reason, approved }: Wanted): Promise<number> {
  const last = await findLastSnapshot(database)
  if (reason === null && last !== null) {
    throw refused(
      `The books are closed: snapshot ${last.number} says who owns what. Correct it if that is wrong`,
    )
  }
  if (reason !== null && last === null) {
    throw refused('Nothing is frozen yet, so there is nothing to correct')
  }
  const number = (last?.number ?? 0) + 1
  if (approved !== undefined && approved.number !== number) {
    throw new Refusal('ApprovalChanged', {
      message: `Snapshot ${approved.number} was approved, but the next one is now ${number}`,
    })
  }
  return number
}

async function requireDecided(
  services: Services,
  database: Database,
  { isFrozen }: { isFrozen: boolean },
): Promise<void> {
  const undecided = await listUndecided(services, database, { isFrozen })
  if (undecided.length > 0) throw refused(undecided.map(({ sentence }) => sentence).join('. '))
}

/**
 * From here until the end nobody can buy, settle, resume or apply a sale file, since all of these
 * lock the sale or a stage's counter. So what was read still holds, or the act is refused.
 */
async function requireUnchanged(
  services: Services,
  transaction: DatabaseTransaction,
  { position, tokens }: SnapshotDraft,
  { reason, approved }: Wanted,
): Promise<void> {
  // In the order in which everybody locks them.
  await lockPause(transaction)
  await lockStageCounters(transaction)
  if ((await findAppliedFileId(transaction)) !== services.saleFileId) {
    throw notNow('Another sale file was applied just now. Try again')
  }
  await requireDecided(services, transaction, { isFrozen: reason !== null })
  const present = await findOwnedPosition(transaction)
  if (present.lastId !== position.lastId || present.count !== position.count) {
    throw tokensMoved()
  }
  if (present.tokens !== tokens) {
    throw booksDisagree()
  }
  const { decimals } = services.sale.project
  if (approved !== undefined && parseDecimal(approved.tokens, decimals) !== tokens) {
    throw new Refusal('ApprovalChanged', {
      message: `${formatGrouped(tokens, decimals)} tokens are owned by now, not ${groupThousands(approved.tokens)}`,
    })
  }
}

function rowOf(
  { position, leafCount, ownerCount, tokens }: SnapshotDraft,
  { root }: MerkleTree,
  given: Pick<SnapshotRow, 'number' | 'taken_at' | 'reason'>,
): SnapshotRow {
  return {
    ...given,
    ledger_position: position.lastId ?? 0n,
    tokens,
    leaf_count: leafCount,
    owner_count: ownerCount,
    root,
  }
}

/**
 * What is read here may be newer than the draft; then the act is refused before its end: see {@link
 * requireUnchanged}.
 */
async function writeRows(
  { sale }: Services,
  transaction: DatabaseTransaction,
  { number, taken_at: now }: SnapshotRow,
  { leafCount, ownerCount, salts, tree }: SnapshotDraft & { tree: MerkleTree },
): Promise<void> {
  let written = 0
  for await (const batch of readOwnedLeaves(transaction)) {
    if (written + batch.length > leafCount) throw tokensMoved()
    const leaves = batch.map((leaf, nth) => {
      const treeIndex = tree.treeIndexes[written + nth] ?? 0
      return { ...leaf, salt: saltOf(salts, written + nth), treeIndex }
    })
    await insertLeaves(transaction, number, leaves)
    written += batch.length
  }
  const chainId = sale.delivery?.chainId ?? null
  const owners = await insertOwners(transaction, number, { chainId, now })
  if (written !== leafCount || owners !== ownerCount) throw tokensMoved()
  await insertNodes(transaction, { snapshot: number }, tree.nodes)
}

/** Tokens that come back to a stage, for example by a correction, are not sold again. */
async function pauseForGood(transaction: DatabaseTransaction, number: number, now: Date) {
  const pause = await lockPause(transaction)
  if (pause.paused !== null) return
  const reason = `Frozen: snapshot ${number} says who owns the tokens`
  await savePause(transaction, { ...pause, paused: { reason, since: now } })
}

function detailsOf({ sale }: Services, row: SnapshotRow): Record<string, string> {
  return {
    snapshot: String(row.number),
    tokens: formatDecimal(row.tokens, sale.project.decimals),
    leaves: String(row.leaf_count),
    owners: String(row.owner_count),
    root: `0x${Buffer.from(row.root).toString('hex')}`,
    ...(row.reason !== null && { reason: row.reason }),
  }
}

function tokensMoved(): Refusal {
  return notNow('Tokens were moved just now. Try again')
}

/** Unlike {@link refused}, this passes, so that an approved act is tried again. */
function notNow(message: string): Refusal {
  return new Refusal('Unavailable', { message })
}

export function refused(message: string): Refusal {
  return new Refusal('FreezeRefused', { message })
}
