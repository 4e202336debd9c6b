import { findChain } from '#server/database/rails/chains.ts'
import {
  type BatchedClaimRow,
  type BatchRow,
  listTakenTransfers,
} from '#server/database/refunds/batches.ts'
import type { ClaimRow } from '#server/database/refunds/claims.ts'
import { listNamedSights, saveNamedSight } from '#server/database/refunds/named-transactions.ts'
import {
  deleteOtherAmounts,
  insertOtherAmounts,
  listOtherAmountsOf,
} from '#server/database/refunds/other-amounts.ts'
import type { NamedSight, OtherAmount, Payouts, PayoutSearch } from '#server/ports/payouts.ts'
import type { Services } from '#server/services.ts'
import { payoutOf } from './claim-view.ts'

type Answer = Awaited<ReturnType<Payouts['find']>> & {
  /**
   * To be called once the claims are recorded: until then what withholds their file is that their
   * transaction is not known to be in a block.
   */
  keepMined(): Promise<void>
}

type Look = {
  payouts: Payouts
  exceptIds: readonly string[]
  isOwn: boolean
  isAnyTime: boolean
}

/**
 * Where on its chain each claim of a batch is. What is seen of named transactions is kept, and what
 * came in other amounts, if these are the claims that wait to be found.
 */
export async function findOnChain(
  services: Services,
  { id: batchId, chain, since_height: sinceHeight, named_hash, former_hashes: former }: BatchRow,
  claims: readonly BatchedClaimRow[],
  { payouts, exceptIds, isOwn, isAnyTime }: Look,
): Promise<Answer> {
  const taken = await listTakenTransfers(services.database, chain, batchId, exceptIds)
  const readHeight = (await findChain(services.database, chain))?.height ?? 0n
  const seen = claims.map(({ transaction_hash: hash }) => hash)
  const named = [named_hash, ...former].filter((hash) => hash !== null)
  const sights = await listNamedSights(services.database, batchId)
  const replaced = [...sights.values()].map(({ replacedBy }) => replacedBy)
  // What was found once pays its claims again, though it was named for another batch meanwhile.
  const found = isOwn ? [...sights.keys()] : []
  const hashes = [...new Set([...named, ...replaced, ...found, ...seen])].filter(
    (hash) => hash !== null,
  )
  // What pays a claim that has left this batch is the sight of the one that has it now.
  const followed = [...new Set([...named, ...sights.keys(), ...(isOwn ? seen : [])])].filter(
    (hash) => hash !== null,
  )
  const own = isOwn ? { batchId, named } : null
  // What paid a refund by hand, or was named for another batch with the same payout, pays this one
  // too only if somebody says so.
  const isTaken: PayoutSearch['isTaken'] = ({ transactionHash: hash, index, ...transfer }) => {
    const { paymentTokenId, address, amount } = transfer
    const payee = `${paymentTokenId} ${address.toLowerCase()}`
    if (taken.has(`${hash} ${index} ${payee}`)) return true
    return (taken.has(hash) || taken.has(`${hash} ${payee} ${amount}`)) && !hashes.includes(hash)
  }
  const known = knownOf(claims)
  const chosen = { hashes, followed, own, sights, known, isTaken }
  const search = { sinceHeight, readHeight, isAnyTime, ...chosen }
  const answer = await payouts.find(
    chain,
    claims.map((claim) => payoutOf(services, claim)),
    search,
  )
  const changed = answer.sights.filter((sight) => !isAsBefore(sight, sights.get(sight.hash)))
  // One that was not seen before withholds no file. If it goes, what it spends has to be known.
  const isHeldBack = ({ hash, state }: NamedSight) => state === 'mined' && sights.has(hash)
  const save = async (seen: readonly NamedSight[]) => {
    for (const sight of seen) await saveNamedSight(services.database, batchId, sight)
  }
  await save(changed.filter((sight) => !isHeldBack(sight)))
  if (isOwn) await keepOtherAmounts(services, batchId, answer)
  return { ...answer, keepMined: async () => await save(changed.filter(isHeldBack)) }
}

/** Where claims were found before, by their ids. */
function knownOf(claims: readonly ClaimRow[]): PayoutSearch['known'] {
  const found = claims.flatMap(({ id, transaction_hash: transactionHash, output_index: index }) =>
    transactionHash === null || index === null ? [] : [[id, { transactionHash, index }] as const],
  )
  return new Map(found)
}

/** What a transaction spends never changes. */
const isAsBefore = ({ state, replacedBy }: NamedSight, before: NamedSight | undefined) =>
  before?.state === state && before.replacedBy === replacedBy

/** What is not seen while blocks are still being read, as after a start, may be in the others. */
async function keepOtherAmounts(
  { database }: Services,
  batchId: bigint,
  { others, isWhole }: { others: readonly OtherAmount[]; isWhole: boolean },
): Promise<void> {
  const before = await listOtherAmountsOf(database, batchId)
  const nameOf = ({ id, transactionHash, index }: (typeof before)[number]) =>
    `${id} ${transactionHash} ${index}`
  const names = new Set(before.map(nameOf))
  const isLess = isWhole && before.length > others.length
  if (!isLess && others.every((each) => names.has(nameOf(each)))) return
  await database.transaction().execute(async (transaction) => {
    if (isWhole) await deleteOtherAmounts(transaction, batchId)
    await insertOtherAmounts(transaction, batchId, others)
  })
}
