import type { Watched } from '#server/payments/chains/watch-list.ts'
import { chunk, mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Log as ServerLog } from '#server/ports/runtime.ts'
import { addressIn, topicOf, TRANSFER, transferIn } from '#server/payments/evm/calls/abi.ts'
import type { EvmNode, Log, LogFilter } from '#server/payments/evm/calls/node.ts'

type Topics = LogFilter['topics']

const ADDRESSES_A_CALL = 500
const CALLS_AT_ONCE = 4
/** How nodes temporarily refuse any call, whatever it asks for. */
const THROTTLED = /too many requests|rate.?limit|throttl|per second|capacity/i
/** With more addresses than this, asking only for the sale's contracts is less work. */
const ADDRESSES_ASKED_MAX = 5_000

/**
 * The transfers of tokens to watched addresses in a range of blocks, and of the sale's tokens from
 * them. Transfers to them are of any token while the addresses are few enough to list, otherwise
 * only of the sale's tokens.
 */
export type ReadTransferLogs = (
  node: EvmNode,
  from: bigint,
  to: bigint,
  watched: Watched,
) => Promise<Log[]>

type Options = {
  chain: string
  log: ServerLog
  /** The contracts of the sale's tokens. */
  contracts: readonly string[]
}

export function createTransferLogs({ chain, log, contracts }: Options): ReadTransferLogs {
  let isLogged = false

  async function ofSaleTokens(node: EvmNode, from: bigint, to: bigint, topics: Topics) {
    return contracts.length === 0 ? [] : await node.logs(from, to, { contracts, topics })
  }

  /**
   * Nodes return a limited number of logs, and anybody can write as many into one block, with a
   * token of their own. Such a block must not keep the payments in it, and all later ones, from
   * being read.
   */
  async function ofAnyToken(node: EvmNode, from: bigint, to: bigint, topics: Topics) {
    try {
      return await node.logs(from, to, { topics })
    } catch (error) {
      const mayBeTooMuch = error instanceof RpcRefused && !THROTTLED.test(error.detail)
      if (from < to || !mayBeTooMuch) throw error
      const found = await ofSaleTokens(node, from, to, topics)
      const facts = { chain, node: node.host, height: from, error }
      if (!isLogged) {
        log.warn(facts, "A block has too many transfers of tokens. Only the sale's own are read")
      }
      isLogged = true
      return found
    }
  }

  return async (node, from, to, watched) => {
    const isOurs = (each: Log) => watched.has(recipientOf(each)) || watched.has(senderOf(each))
    if (watched.size > ADDRESSES_ASKED_MAX) {
      const logs = await ofSaleTokens(node, from, to, [TRANSFER])
      return checkedTransfers(node, logs, from, to).filter(isOurs)
    }
    const topics = chunk([...watched.keys()].map(topicOf), ADDRESSES_A_CALL)
    const found = await mapWithConcurrency(topics, CALLS_AT_ONCE, (recipients) =>
      ofAnyToken(node, from, to, [TRANSFER, null, recipients]),
    )
    const sent = await mapWithConcurrency(topics, CALLS_AT_ONCE, (senders) =>
      ofSaleTokens(node, from, to, [TRANSFER, senders]),
    )
    return checkedTransfers(node, [...found, ...sent].flat(), from, to).filter(isOurs)
  }
}

/** How much of a token an address has sent in a range of blocks. */
export async function sumSent(
  node: EvmNode,
  from: bigint,
  to: bigint,
  contract: string,
  address: string,
): Promise<bigint> {
  const topics = [TRANSFER, topicOf(address)]
  const logs = await node.logs(from, to, { contracts: [contract], topics })
  return checkedTransfers(node, logs, from, to)
    .filter((log) => log.address === contract && log.topics[1] === topicOf(address))
    .reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/**
 * Each log once, without those that are not transfers of an amount. Throws if the node answers
 * another question.
 */
function checkedTransfers(node: EvmNode, logs: Log[], from: bigint, to: bigint): Log[] {
  if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to)) {
    throw new Unavailable(`The node at ${node.host} sends logs that it was not asked for`)
  }
  const once = new Map(logs.map((log) => [`${log.transactionHash} ${log.logIndex}`, log]))
  return [...once.values()].filter((log) => (transferIn(log)?.amount ?? 0n) > 0n)
}

export function recipientOf({ topics }: Log): string {
  return addressIn(topics[2] ?? '')
}

export function senderOf({ topics }: Log): string {
  return addressIn(topics[1] ?? '')
}
