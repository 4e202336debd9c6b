import { Unavailable } from '#domain/unavailable.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { hasWords, wordOf } from '#server/payments/evm/calls/abi.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import {
  type Asset,
  type Balances,
  readBalances,
} from '#server/payments/evm/calls/read-balances.ts'
import type { Incoming } from '#server/payments/evm/movements.ts'
import { unlessMissing } from '#server/payments/evm/old-states.ts'
import type { ForeignAsset } from '#server/ports/rail.ts'

/*
 * Tokens that the sale does not take are strangers' contracts. Whatever they answer, and however
 * long they take, they must not keep the payments beside them from being read.
 */

/**
 * Calls `symbol()` of the contract whose address follows in a word of 32 bytes, and returns the
 * first 128 bytes of the answer: a contract may answer with megabytes. Reverts if the call fails.
 */
const SYMBOL = [
  '6020602d600039', // the word after the program to 0
  '6395d89b4160e01b602052', // selector of symbol() at 0x20
  '60806040600460206000515afa', // static call, 128 bytes of the answer to 0x40
  '602757', // fail where it fails
  '60006000fd', // fail: revert
  '5b60806040f3', // return 128 bytes from 0x40
].join('')
const ANSWER_WORDS = 4
const WORD_BYTES = 32

/** Further contracts in one range are not asked: anybody can deploy as many as they like. */
const CONTRACTS_ASKED_MAX = 20
/** After this long no further contract is asked. */
const ASKED_FOR_MS = 2_000
const CALLS_AT_ONCE = 4

type Token = NonNullable<ForeignAsset['token']>

/** What is known of a transfer, with the amount that arrived: less if the token keeps a fee. */
export type ForeignTransfer = { token: Token; amount: bigint }

/** A token that keeps more than this share of a transfer is not considered one that keeps a fee. */
const KEPT_MAX = 2n

/**
 * What strangers' tokens say, for each transfer in a range: their symbol, and whether the address
 * holds the amount at the end of the range. Of several transfers to one address, those count, in
 * order, that the balance covers. If it covers more than half of one, the token has kept the rest,
 * and the covered amount has arrived.
 * @param incoming Only of tokens that the sale does not take.
 */
export async function readForeignTokens(
  node: EvmNode,
  incoming: readonly Incoming[],
  endHash: string,
): Promise<ReadonlyMap<Incoming, ForeignTransfer>> {
  const contracts = Map.groupBy(incoming, ({ asset }) => asset)
  const asked = [...contracts].slice(0, CONTRACTS_ASKED_MAX)
  const endsAt = performance.now() + ASKED_FOR_MS
  const answers = await mapWithConcurrency(asked, CALLS_AT_ONCE, async ([contract, transfers]) => {
    if (performance.now() > endsAt) return []
    const addresses = [...new Set(transfers.map(({ address }) => address))]
    const left = await holdingsOf(node, contract, addresses, endHash)
    const symbol = await symbolOf(node, contract, endHash)
    return transfers.map((each): [Incoming, ForeignTransfer] => {
      const { isHeld, amount } = take(left, each)
      return [each, { token: { symbol, isHeld }, amount }]
    })
  })
  const tokens = new Map(answers.flat())
  for (const each of incoming) {
    if (tokens.has(each)) continue
    tokens.set(each, { token: { symbol: null, isHeld: null }, amount: each.amount })
  }
  return tokens
}

/** Deducts a transfer, or the part that arrived, from the balance of its address. */
function take(left: Map<string, bigint> | null, { address, amount }: Incoming) {
  if (left === null) return { isHeld: null, amount }
  const balance = left.get(address) ?? 0n
  if (balance * KEPT_MAX <= amount) return { isHeld: false, amount }
  const arrived = balance < amount ? balance : amount
  left.set(address, balance - arrived)
  return { isHeld: true, amount: arrived }
}

/** Null if the node no longer has the state; nothing if the contract does not answer. */
async function holdingsOf(
  node: EvmNode,
  contract: Asset,
  addresses: readonly string[],
  blockHash: string,
): Promise<Map<string, bigint> | null> {
  const balances: Balances | null = await unlessRefused(
    unlessMissing(readBalances(node, contract, addresses, blockHash)),
    new Map(),
  )
  return balances && new Map(balances)
}

async function symbolOf(node: EvmNode, contract: Asset, blockHash: string): Promise<string | null> {
  const data = `0x${SYMBOL}${wordOf(contract)}`
  const answer = await unlessRefused(node.call({ data }, blockHash), null)
  return answer === null ? null : readSymbol(answer)
}

/** What nodes report if the contract itself reverts, or runs without an end. */
const OF_THE_CONTRACT = /revert|invalid opcode|out ?of ?gas/i

/**
 * Null if the node gives no answer, so that nobody could ask. The payments beside the token are
 * still read.
 */
async function unlessRefused<Answer, Instead>(
  answer: Promise<Answer>,
  instead: Instead,
): Promise<Answer | Instead | null> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return error instanceof RpcRefused && OF_THE_CONTRACT.test(error.detail) ? instead : null
  }
}

const SYMBOL_FORM = /^[\x21-\x7e](?:[\x20-\x7e]{0,30}[\x21-\x7e])?$/

/**
 * A symbol of at most 32 printable ASCII characters, from an ABI `string` or from the `bytes32` of
 * older tokens. Null for everything else: some symbols are made to look like others, or like a
 * message.
 */
function readSymbol(answer: string): string | null {
  if (!hasWords(answer, ANSWER_WORDS)) return null
  const bytes = Buffer.from(answer.slice('0x'.length), 'hex')
  const word = (place: number) => bytes.subarray(place * WORD_BYTES, (place + 1) * WORD_BYTES)
  const figure = (place: number) => BigInt(`0x${word(place).toString('hex')}`)
  const isString = figure(0) === BigInt(WORD_BYTES)
  const length = isString ? figure(1) : BigInt(WORD_BYTES)
  if (length > BigInt(WORD_BYTES)) return null
  const text = word(isString ? 2 : 0)
    .subarray(0, Number(length))
    .toString('latin1')
    .replace(/\0+$/, '')
  return SYMBOL_FORM.test(text) ? text : null
}
