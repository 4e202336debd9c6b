import type { PaymentToken } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { greatest, heightsBetween } from '#server/payments/chains/blocks/block.ts'
import { chunk, mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import type { Call, EvmNode } from '#server/payments/evm/calls/node.ts'
import { topicOf, TRANSFER, transferIn } from '#server/payments/evm/calls/abi.ts'
import {
  findOtherAmounts,
  matchPayouts,
  newlyFound,
  type SeenTransfer,
} from '#server/payments/payouts/match-payouts.ts'
import { foundOf } from '#server/payments/payouts/required-confirmations.ts'
import { createBlockScan, type ScanRange } from '#server/payments/payouts/scan-blocks.ts'
import type {
  CoinTransfer,
  NamedSight,
  Payout,
  Payouts,
  PayoutSearch,
} from '#server/ports/payouts.ts'
import { coinTransfersTo } from './coin-transfers.ts'
import { createNamedReader } from './named-transactions.ts'
import { safeTransfers, type SentCoins } from './safe-transfers.ts'

type Mined = Omit<SeenTransfer, 'confirmations' | 'isOwn'> & { from: string; height: bigint }
type Transfer = Omit<Mined, 'paymentTokenId'> & { contract: string }
type Sent = {
  /** In lower case; null if it is unknown. */
  from: string | null
  requiredOf(payout: Payout): Promise<number>
  /** What was noted of them as the chain was read for payments. */
  listCoins(payouts: readonly Payout[]): Promise<CoinTransfer[]>
}
type Candidate = { hash: string; from: string; height: bigint }
type Ownership = { named: ReadonlySet<string>; isOwn(sender: string, hash: string): boolean }
type SentWithin = {
  sent: Mined[]
  /** Where the contract may have sent more, which no node tells: the block and the sender. */
  unread: Candidate | null
}

const ADDRESSES_A_CALL = 100
const CALLS_AT_ONCE = 4
/** So many of the blocks that the sale has read may have been replaced meanwhile. */
const UNSETTLED = 12n
/** More blocks are left to the reading of the chain, which is much faster. */
const BLOCKS_MAX = 76n
/** The most confirmations that are waited for by default: no reorganisation is deeper. */
const SETTLED = 400n

/**
 * Finds payouts on a chain. If the sender is known, or an operator named transactions, other
 * people's transfers count only in named transactions. Tokens are found by their logs. Coins leave
 * no log: they are found in plain transactions, which are noted as the sale reads the chain, and in
 * the named ones, where a contract may have sent them.
 */
export function createPayoutFinder() {
  const logs = createBlockScan<Transfer>({
    unsettled: SETTLED,
    blocksARange: 500n,
    newBlocks: 20_000n,
  })
  const readNamed = createNamedReader()

  return async function findPayouts(
    node: EvmNode,
    payouts: readonly Payout[],
    search: PayoutSearch,
    { from, requiredOf, listCoins }: Sent,
  ): ReturnType<Payouts['find']> {
    const { number: head } = await node.head()
    const { sinceHeight, readHeight } = search
    requireHeight(node, head, greatest(sinceHeight, readHeight))
    const followed = await readNamed(node, search, head)
    const { named, isOwn } = ownership(search, followed, from)
    const tokens = payouts.filter(({ paymentToken }) => paymentToken.contract !== null)
    const coins = payouts.filter(({ paymentToken }) => paymentToken.contract === null)
    const seen: Mined[] = []
    const unread: Candidate[] = []
    let isWhole = true
    if (tokens.length > 0) {
      const idOf = new Map(
        tokens.map(({ paymentToken }) => [contractOf(paymentToken), paymentToken.id]),
      )
      const wanted = new Set(tokens.map(wantedOf))
      const read: ScanRange<Transfer> = (from, to, pairs) => readTokens(node, pairs, from, to)
      const scanned = await logs.scan(sinceHeight, head, wanted, read)
      isWhole &&= scanned.isWhole
      const lower = await readLower(node, wanted, named, sinceHeight)
      for (const { contract, ...transfer } of [...scanned.items, ...lower]) {
        const paymentTokenId = idOf.get(contract)
        if (paymentTokenId !== undefined) seen.push({ ...transfer, paymentTokenId })
      }
    }
    if (coins.length > 0) {
      const noted = await listCoins(coins)
      const read = await readCoins(node, coins, { search, head, noted }, { named, isOwn })
      isWhole &&= read.isWhole
      seen.push(...read.coins.flatMap(({ sent }) => sent))
      unread.push(...read.coins.flatMap((each) => each.unread ?? []))
    }
    const deep = [...numbered(seen), ...unread.flatMap((each) => keptOf(each, coins, search))]
      .filter(({ height, transactionHash: hash }) =>
        named.has(hash) ? height > sinceHeight - SETTLED : height > sinceHeight,
      )
      .filter(({ height }) => height <= head)
      .map((each) => ({
        ...each,
        confirmations: Number(head - each.height + 1n),
        isOwn: isOwn(each.from, each.transactionHash),
      }))
    const searched = { ...search, hashes: [...named] }
    const matches = matchPayouts(payouts, deep, searched, lowerCase)
    const others = findOtherAmounts(payouts, deep, matches, searched, lowerCase)
    const found = await foundOf(matches, requiredOf)
    const fresh = { ...search, followed: newlyFound(matches, search, followed) }
    const hidden = new Set(unread.map(({ hash }) => hash))
    const sights = [...followed, ...(await readNamed(node, fresh, head))].map((sight) =>
      sight.state === 'mined' && hidden.has(sight.hash)
        ? { ...sight, state: 'unread' as const }
        : sight,
    )
    return { found, others, sights, isWhole, head }
  }
}

/**
 * Reads the transactions that may have brought coins to payouts, and the named ones. Those of the
 * newest blocks may not have been noted yet.
 */
async function readCoins(
  node: EvmNode,
  payouts: readonly Payout[],
  { search, head, noted }: { search: PayoutSearch; head: bigint; noted: CoinTransfer[] },
  { named, isOwn }: Ownership,
): Promise<{ coins: SentWithin[]; isWhole: boolean }> {
  const { sinceHeight, readHeight } = search
  const after = greatest(sinceHeight, readHeight - UNSETTLED)
  const isWhole = head - after <= BLOCKS_MAX
  const newest = isWhole ? await readNewest(node, payouts, after, head) : []
  const candidates = [...noted, ...newest].filter((each) => isOwn(each.from, each.hash))
  const hashes = new Set([...named, ...candidates.map(({ hash }) => hash)])
  const coins = await mapWithConcurrency([...hashes], CALLS_AT_ONCE, (hash) =>
    readSent(node, payouts, hash),
  )
  return { coins, isWhole }
}

async function readNewest(
  node: EvmNode,
  payouts: readonly Payout[],
  after: bigint,
  head: bigint,
): Promise<CoinTransfer[]> {
  const blocks = await mapWithConcurrency(heightsBetween(after, head), CALLS_AT_ONCE, (height) =>
    node.blockWithTransactions(height),
  )
  const recipients = new Set(payouts.map(({ address }) => address.toLowerCase()))
  return coinTransfersTo(recipients, blocks)
}

/**
 * What was found before in a transaction that no node traces any more: it is still in a block, and
 * nodes drop the states that a trace takes long before a payout has its confirmations.
 */
function keptOf(
  { hash, from, height }: Candidate,
  payouts: readonly Payout[],
  { known }: PayoutSearch,
): Mined[] {
  return payouts.flatMap(({ id, address, paymentToken, amount }) => {
    const before = known.get(id)
    if (before?.transactionHash !== hash) return []
    return [{ ...before, from, address, paymentTokenId: paymentToken.id, amount, height }]
  })
}

/**
 * With an index among what the same transaction sent to the same address in the same asset: a log
 * has another index in every block in which its transaction is mined again.
 */
function numbered(seen: readonly Mined[]): Mined[] {
  const placeOf = ({ transactionHash, paymentTokenId, address }: Mined) =>
    `${transactionHash} ${paymentTokenId} ${address.toLowerCase()}`
  return [...Map.groupBy(seen, placeOf).values()].flatMap((sent) => {
    // It was found in two blocks if the chain has changed while it was read.
    const height = sent.map((each) => each.height).reduce(greatest)
    return sent
      .filter((each) => each.height === height)
      .toSorted((one, other) => one.index - other.index)
      .map((each, index) => ({ ...each, index }))
  })
}

/** Throws `Unavailable` for a node that is behind. */
export function requireHeight({ host }: EvmNode, head: bigint, height: bigint): void {
  if (head >= height) return
  throw new Unavailable(`The node at ${host} has fewer blocks than were read`)
}

/**
 * Which transactions count, by their senders and hashes. What has replaced a named transaction
 * counts as named.
 */
function ownership(
  { hashes, own }: PayoutSearch,
  sights: readonly NamedSight[],
  from: string | null,
): Ownership {
  const replacing = (of: readonly NamedSight[]) => of.flatMap(({ replacedBy }) => replacedBy ?? [])
  const named = new Set([...hashes, ...replacing(sights)])
  const names = own?.named ?? []
  const ownSights = sights.filter(({ hash }) => names.includes(hash))
  const ownHashes = new Set([...names, ...replacing(ownSights)])
  const isOwn = (sender: string, hash: string) =>
    from === null ? names.length === 0 || ownHashes.has(hash) : sender === from || named.has(hash)
  return { named, isOwn }
}

const isHash = (text: string) => /^0x[\da-f]{64}$/.test(text)
const lowerCase = (address: string) => address.toLowerCase()
const contractOf = ({ contract }: PaymentToken) => contract?.toLowerCase() ?? ''
/** What is looked for among logs: a contract and a recipient. */
const wantedOf = ({ address, paymentToken }: Payout) =>
  `${contractOf(paymentToken)} ${address.toLowerCase()}`

/** Transfers of the tokens to the addresses, by anybody: a reverted one leaves no log. */
async function readTokens(
  node: EvmNode,
  wanted: ReadonlySet<string>,
  from: bigint,
  to: bigint,
): Promise<Transfer[]> {
  const pairs = [...wanted].map((pair) => pair.split(' '))
  const [contracts, recipients] = [0, 1].map((place) => [
    ...new Set(pairs.map((pair) => pair[place] ?? '')),
  ])
  const found = await mapWithConcurrency(chunk(recipients ?? [], ADDRESSES_A_CALL), 1, (some) =>
    node.logs(from, to, {
      contracts: contracts ?? [],
      topics: [TRANSFER, null, some.map(topicOf)],
    }),
  )
  return found.flat().flatMap((log) => {
    const { address: contract, transactionHash, logIndex, blockNumber: height } = log
    const moved = transferIn(log)
    if (moved === null || height < from || height > to) return []
    const { to: address, ...sent } = moved
    if (!wanted.has(`${contract} ${address}`)) return []
    return [{ transactionHash, index: Number(logIndex), ...sent, address, contract, height }]
  })
}

/**
 * What named transactions have sent in blocks up to a height, where nothing else is looked for: a
 * reorganisation may have put them there.
 */
async function readLower(
  node: EvmNode,
  wanted: ReadonlySet<string>,
  named: ReadonlySet<string>,
  height: bigint,
): Promise<Transfer[]> {
  const hashes = [...named].filter(isHash)
  const found = await mapWithConcurrency(hashes, CALLS_AT_ONCE, async (hash) => {
    const block = (await node.receiptOf(hash))?.blockNumber
    if (block === undefined || block > height || block <= height - SETTLED) return []
    const transfers = await readTokens(node, wanted, block, block)
    return transfers.filter(({ transactionHash }) => transactionHash === hash)
  })
  return found.flat()
}

/** The coins that one transaction sent, itself or through contracts. */
async function readSent(
  node: EvmNode,
  payouts: readonly Payout[],
  hash: string,
): Promise<SentWithin> {
  const nothing = { sent: [], unread: null }
  const paymentTokenId = payouts[0]?.paymentToken.id
  if (!isHash(hash) || paymentTokenId === undefined) return nothing
  const [transaction, receipt] = [await node.transaction(hash), await node.receiptOf(hash)]
  if (transaction === null || receipt === null || receipt.status !== 1n) return nothing
  const { from, to, value, input } = transaction
  const mined = ({ to: address, value: amount }: SentCoins, index: number): Mined => ({
    transactionHash: hash,
    index,
    from,
    address,
    paymentTokenId,
    amount,
    height: receipt.blockNumber,
  })
  const own = to !== null && value > 0n ? [mined({ to, value }, 0)] : []
  if (input === '0x') return { sent: own, unread: null }
  const trace = await node.trace(hash)
  const within =
    trace === null ? safeTransfers(transaction, receipt) : (trace.calls ?? []).flatMap(sentBy)
  const sent = [...own, ...(within ?? []).map((each, nth) => mined(each, 1 + nth))]
  return { sent, unread: within === null ? { hash, from, height: receipt.blockNumber } : null }
}

/** The coins that a call and those within it have sent, in their order. */
function sentBy({ type, to, value = 0n, error, calls = [] }: Call): SentCoins[] {
  if (error !== undefined) return []
  const isSent = type === 'CALL' && to !== undefined && value > 0n
  return [...(isSent ? [{ to, value }] : []), ...calls.flatMap(sentBy)]
}
