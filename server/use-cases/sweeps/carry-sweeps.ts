import { Unavailable } from '#domain/unavailable.ts'
import {
  closeSweep,
  listOpenSweeps,
  listTransactions,
  lockSweepOfFile,
  type SweepRow,
  type SweepTransactionRow,
  updateSweepTransaction,
} from '#server/database/sweeps/sweeps.ts'
import type { MinedTransaction, Sweeping } from '#server/ports/sweeping.ts'
import type { Services } from '#server/services.ts'
import { listSweepable } from './sweeping-of.ts'

/**
 * A node keeps about this many transactions of one sender that wait for a block, and drops any
 * more.
 */
const IN_FLIGHT_MAX = 16
/** For all senders together. */
const SENT_AT_ONCE = 100
/** Nodes forget transactions that wait for long. */
const SEND_AGAIN_MS = 60_000

/**
 * Takes every open sweep a step further: sends what can be sent by now, in order, and looks up what
 * was sent. Safe to repeat, to stop anywhere and to run on several instances at once: sending twice
 * makes one transaction, since its nonce is part of what is signed.
 */
export async function carrySweeps(services: Services): Promise<void> {
  for (const sweep of await listOpenSweeps(services.database)) {
    const found = listSweepable(services).find(({ chain }) => chain.name === sweep.chain)
    try {
      if (found === undefined) throw new Unavailable(`No node is set for ${sweep.chain}`)
      await lookAtSent(services, found.sweeping, sweep)
      await sendReady(services, found.sweeping, sweep)
      await closeSweep(services.database, sweep.id, services.clock.now())
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      const facts = { sweepId: sweep.id, chain: sweep.chain, error }
      services.log.warn(facts, 'A sweep is waiting for a node. It continues by itself')
    }
  }
}

async function lookAtSent(services: Services, sweeping: Sweeping, sweep: SweepRow): Promise<void> {
  const { database } = services
  const sent = (await listTransactions(database, sweep.id)).filter(({ state }) => state === 'sent')
  const mined = await sweeping.find(
    sweep.chain,
    sent.map((each) => each.transaction_hash),
  )
  for (const each of sent) {
    const found = mined.get(each.transaction_hash)
    if (found === undefined) await followMissing(services, sweeping, sweep, each)
    else if (found.isDeep || found.height !== each.block_height) {
      await updateSweepTransaction(database, each, changeOf(found))
    }
  }
}

function changeOf({ height, hasSucceeded, isDeep }: MinedTransaction) {
  if (!isDeep) return { block_height: height, fault: hasSucceeded ? null : REVERTED }
  return hasSucceeded
    ? { state: 'confirmed' as const, block_height: height, fault: null }
    : { state: 'failed' as const, block_height: height, fault: REVERTED }
}

/**
 * Transactions that are in no block, or no longer: each waits, was forgotten, or lost its nonce to
 * another.
 */
async function followMissing(
  services: Services,
  sweeping: Sweeping,
  { chain }: SweepRow,
  each: SweepTransactionRow,
): Promise<void> {
  const { database, clock } = services
  if (each.block_height !== null) {
    await updateSweepTransaction(database, each, { block_height: null })
  }
  if (clock.now().getTime() - (each.sent_at?.getTime() ?? 0) < SEND_AGAIN_MS) return
  if (await sweeping.isReplaced(chain, { ...each, hash: each.transaction_hash })) {
    await fail(services, each, REPLACED)
    return
  }
  const refusal = await sweeping.send(chain, each.raw)
  const fault = refusal === null ? null : whyRefused(refusal, each)
  await updateSweepTransaction(database, each, { sent_at: clock.now(), fault })
}

async function sendReady(services: Services, sweeping: Sweeping, sweep: SweepRow): Promise<void> {
  const transactions = await listTransactions(services.database, sweep.id)
  const inFlight = new Map<string, number>()
  for (const { sender, state, block_height: height } of transactions) {
    if (state !== 'sent' || height !== null) continue
    inFlight.set(sender, (inFlight.get(sender) ?? 0) + 1)
  }
  let left = SENT_AT_ONCE - [...inFlight.values()].reduce((sum, count) => sum + count, 0)
  /** Senders whose next transaction waits: those after it wait as well. */
  const held = new Set<string>()
  for (const each of transactions.filter(({ state }) => state === 'waiting')) {
    if (left <= 0) return
    if (held.has(each.sender)) continue
    const own = inFlight.get(each.sender) ?? 0
    const obstacle = obstacleOf(each, transactions)
    if (obstacle !== null && 'fault' in obstacle) {
      await fail(services, each, obstacle.fault)
      // What comes after it is looked at in the next step, which knows that this has failed.
      held.add(each.sender)
      continue
    }
    const isSent =
      obstacle === null && own < IN_FLIGHT_MAX && (await sendOne(services, sweeping, sweep, each))
    if (!isSent) held.add(each.sender)
    else inFlight.set(each.sender, own + 1)
    if (isSent) left -= 1
  }
}

/** Why a transaction cannot be sent now, or ever; null if it can. */
function obstacleOf(
  each: SweepTransactionRow,
  all: readonly SweepTransactionRow[],
): { isLater: true } | { fault: string } | null {
  const gas = all.find(({ kind, address }) => kind === 'gas' && address === each.address)
  if (each.kind !== 'gas' && gas !== undefined) {
    if (gas.state === 'failed' || gas.state === 'stopped') return { fault: NO_GAS }
    if (gas.block_height === null || gas.fault !== null) return { isLater: true }
  }
  const before = all.findLast(
    ({ sender, nonce }) => sender === each.sender && nonce === each.nonce - 1n,
  )
  // A transaction that never reached a block leaves a gap that no later nonce can pass.
  const isGap = before !== undefined && before.state === 'failed' && before.sent_at === null
  return isGap ? { fault: GAP } : null
}

/**
 * Whether it was sent. A failure is recorded with it. That it is being sent is written down first,
 * so that a server that stops in between does not take it for unsent; and one that an operator has
 * stopped meanwhile, or another instance has sent, is not sent.
 */
async function sendOne(
  services: Services,
  sweeping: Sweeping,
  sweep: SweepRow,
  each: SweepTransactionRow,
): Promise<boolean> {
  const { database, clock } = services
  const { chain } = sweep
  const sent = { state: 'sent' as const, sent_at: clock.now(), fault: null }
  if (each.kind === 'tokens') {
    const [transfer] = await sweeping.read([each.raw])
    const isRead = transfer !== undefined && !('fault' in transfer)
    const refusal = isRead ? await sweeping.refusal(chain, transfer) : null
    if (refusal !== null) {
      // It may have been sent just before the server stopped, and have moved everything there was.
      const mined = (await sweeping.find(chain, [each.transaction_hash])).get(each.transaction_hash)
      if (mined === undefined) await fail(services, each, refusal)
      else await updateSweepTransaction(database, each, { ...sent, block_height: mined.height })
      return mined !== undefined
    }
  }
  if (!(await updateSweepTransaction(database, each, sent))) return false
  const claimed = { ...each, ...sent }
  const refusal = await sweeping.send(chain, each.raw)
  if (refusal === null) return true
  const mined = (await sweeping.find(chain, [each.transaction_hash])).get(each.transaction_hash)
  if (mined !== undefined) {
    await updateSweepTransaction(database, claimed, { ...sent, block_height: mined.height })
    return true
  }
  if (await sweeping.isReplaced(chain, { ...each, hash: each.transaction_hash })) {
    // Its nonce is used, so the next one leaves no gap.
    await fail(services, claimed, REPLACED)
    return true
  }
  await putBack(services, sweep, claimed, whyRefused(refusal, each))
  return false
}

/** It waits again, unless an operator has stopped the sweep while the node was asked. */
async function putBack(
  { database }: Services,
  sweep: SweepRow,
  each: SweepTransactionRow,
  fault: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Whoever stops it waits here, or is waited for.
    await lockSweepOfFile(transaction, sweep.file_hash)
    const all = await listTransactions(transaction, sweep.id)
    const isStopped = all.some(({ state }) => state === 'stopped')
    const unsent = isStopped
      ? { state: 'stopped' as const, sent_at: null, fault: null }
      : { state: 'waiting' as const, sent_at: null, fault }
    await updateSweepTransaction(transaction, each, unsent)
  })
}

async function fail({ database, log }: Services, each: SweepTransactionRow, fault: string) {
  if (!(await updateSweepTransaction(database, each, { state: 'failed', fault }))) return
  const facts = { sweepId: each.sweep_id, hash: each.transaction_hash, address: each.address }
  log.error(facts, `A transaction of a sweep has failed. ${fault}`)
}

function whyRefused(refusal: string, { sender, kind }: SweepTransactionRow): string {
  if (/insufficient ?funds|not enough funds/i.test(refusal)) {
    return kind === 'gas'
      ? `The payer ${sender} has too little for gas. Send it coins: the sweep continues by itself`
      : `${sender} has too little for the fee. If this does not change, stop the sweep and make ` +
          'a new list'
  }
  return (
    `The node does not take it yet: ${refusal}. The server tries again; if this does not change, ` +
    'stop the sweep and make a new list, with a higher --gas_gwei if the price is too low'
  ).slice(0, 500)
}

const REVERTED =
  'It was reverted: the token may be paused, or have blocked this address. Nothing was moved. ' +
  'Ask its issuer, and make a new list'
const REPLACED =
  'A transaction that is not of this sweep took its nonce. Look up who signed it, and make a new list'
const NO_GAS = 'The gas for it was not sent. Make a new list for what still lies there'
const GAP = 'The transaction of this address before it was not sent. Make a new list'
