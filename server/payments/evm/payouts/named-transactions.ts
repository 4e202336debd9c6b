import { createHash } from 'node:crypto'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { unlessRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { createBlockScan } from '#server/payments/payouts/scan-blocks.ts'
import type { EvmNode, SentTransaction } from '#server/payments/evm/calls/node.ts'
import type { NamedSight, PayoutSearch } from '#server/ports/payouts.ts'
import { EXECUTED, instructionOf } from './safe-transfers.ts'

type Range = { sinceHeight: bigint; head: bigint }
type Execution = { hash: string; height: bigint }

/** A nonce that was used this many blocks ago stays used. */
const SETTLED = 12n
const CALLS_AT_ONCE = 4

/**
 * Says what became of transactions that operators named. A wallet that raises a fee sends another
 * transaction with the same nonce, and nodes forget the first one: only its nonce leads to the
 * other. What a Safe was asked for may also be sent by another of its owners, with their own nonce.
 */
export function createNamedReader() {
  const executions = createBlockScan<Execution>({
    unsettled: 400n,
    blocksARange: 500n,
    newBlocks: 20_000n,
  })

  /** The transaction in which a Safe has done the same; null if there is none so far. */
  async function executionOf(
    node: EvmNode,
    hash: string,
    spends: readonly string[],
    { sinceHeight, head }: Range,
  ): Promise<string | null> {
    const asked = spends.find((each) => each.startsWith(SAFE))
    const safe = asked?.split(':')[1]
    if (asked === undefined || safe === undefined) return null
    const { items } = await executions.scan(sinceHeight, head, new Set([safe]), (from, to) =>
      readExecutions(node, safe, from, to),
    )
    for (const { hash: other } of items) {
      if (other === hash) continue
      const transaction = await node.transaction(other)
      if (transaction !== null && spendsOf(transaction).includes(asked)) return other
    }
    return null
  }

  /** Null for a transaction that no node has shown, now or before. */
  async function sightOf(
    node: EvmNode,
    hash: string,
    before: NamedSight | undefined,
    range: Range,
  ): Promise<NamedSight | null> {
    if (!/^0x[\da-f]{64}$/.test(hash)) return null
    const spends = before?.spends ?? (await readSpends(node, hash))
    if (spends === null) return null
    const receipt = await node.receiptOf(hash)
    const sight = (state: NamedSight['state'], replacedBy: string | null = null) => {
      return { hash, spends, state, replacedBy }
    }
    const former = before?.replacedBy ?? null
    const known = former !== null && (await node.receiptOf(former)) !== null ? former : null
    // Both are mined where the owners of a Safe have done the same twice.
    if (receipt?.status === 1n) return sight('mined', known)
    const execution = await executionOf(node, hash, spends, range)
    if (execution !== null) return sight('replaced', execution)
    if (receipt !== null) return sight('mined')
    if (known !== null) return sight('replaced', known)
    const user = await findUser(node, spends, range)
    if (user === null) return sight('waiting')
    if (user.hash === hash) return sight('mined')
    // A node that no longer keeps receipts and states does not contradict what was seen.
    if (user.hash === null && wasInBlock(before)) return before
    return sight('replaced', user.hash ?? former)
  }

  return async function readNamed(
    node: EvmNode,
    search: PayoutSearch,
    head: bigint,
  ): Promise<NamedSight[]> {
    const { followed, sights, sinceHeight } = search
    const read = await mapWithConcurrency(followed, CALLS_AT_ONCE, (hash) =>
      sightOf(node, hash, sights.get(hash), { sinceHeight, head }),
    )
    return read.filter((sight) => sight !== null)
  }
}

const SAFE = 'safe:'

const wasInBlock = (before: NamedSight | undefined): before is NamedSight =>
  before?.state === 'mined' || before?.state === 'unread'

/** Null while no node shows the transaction. */
async function readSpends(node: EvmNode, hash: string): Promise<string[] | null> {
  const transaction = await node.transaction(hash)
  return transaction && spendsOf(transaction)
}

/** The nonce of its sender, and what a Safe is asked for, which it does once. */
function spendsOf({ from, nonce, ...transaction }: SentTransaction): string[] {
  const instruction = instructionOf(transaction)
  const digest = instruction && createHash('sha256').update(instruction).digest('hex')
  return [`${from}:${nonce}`, ...(digest === null ? [] : [`${SAFE}${transaction.to}:${digest}`])]
}

async function readExecutions(
  node: EvmNode,
  safe: string,
  from: bigint,
  to: bigint,
): Promise<Execution[]> {
  const logs = await node.logs(from, to, { contracts: [safe], topics: [EXECUTED] })
  return logs
    .filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to)
    .map(({ transactionHash: hash, blockNumber: height }) => ({ hash, height }))
}

/**
 * The transaction that has used a nonce; null if none has, or only just now. Its hash is null if it
 * cannot be found: the node has lost the states of the time, or the nonce was used without a
 * transaction, by an authorisation (EIP-7702).
 */
async function findUser(
  node: EvmNode,
  [spent = '']: readonly string[],
  { sinceHeight, head }: Range,
): Promise<{ hash: string | null } | null> {
  const [from = '', number = ''] = spent.split(':')
  const nonce = BigInt(number)
  const isUsedAt = async (height: bigint) => {
    const count = await unlessRefused(node.transactionCount(from, height))
    return count === null ? null : count > nonce
  }
  if ((await isUsedAt(head)) !== true) return null
  const height = await findUse(isUsedAt, sinceHeight, head)
  const block = height === null ? null : await node.blockWithTransactions(height)
  const user = block?.transactions.find((each) => each.from === from && each.nonce === nonce)
  if (user !== undefined) return { hash: user.hash }
  const isSettled = head - SETTLED > sinceHeight && (await isUsedAt(head - SETTLED)) === true
  return isSettled ? { hash: null } : null
}

/** The height at which it was used, looked for from the end: nodes keep those states longest. */
async function findUse(
  isUsedAt: (height: bigint) => Promise<boolean | null>,
  sinceHeight: bigint,
  head: bigint,
): Promise<bigint | null> {
  let [used, unused] = [head, head]
  for (let step = 1n; unused === used; step *= 2n) {
    if (used === sinceHeight) return null
    unused = used - step > sinceHeight ? used - step : sinceHeight
    const isUsed = await isUsedAt(unused)
    if (isUsed === null) return null
    if (isUsed) used = unused
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    const isUsed = await isUsedAt(middle)
    if (isUsed === null) return null
    if (isUsed) used = middle
    else unused = middle
  }
  return used
}
