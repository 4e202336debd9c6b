import { chunk, mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { hasWords, numberAt, wordOf } from './abi.ts'
import type { EvmNode } from './node.ts'

/*
 * One call asks about hundreds of addresses: instead of a contract it names a program, which the
 * node runs and forgets. So no contract has to be deployed for it, and any node will do. The
 * program's input follows it, in words of 32 bytes.
 */

/** Replaces each word, an address, by a figure of that account, and returns all words. */
const forAccounts = (opcode: string) =>
  [
    '60243803806024600039', // size = bytes after the program; copy them to memory at 0
    '6000', // place = 0
    '5b81811015601f57', // while place < size:
    `8051${opcode}8152`, //   word at place = figure of the word at place
    '602001600c56', //   place += 32
    '5b506000f3', // return size bytes from 0
  ].join('')

const NATIVE_BALANCES = forAccounts('31')
/** EXTCODEHASH is zero for an account that has no coins and never sent anything (EIP-1052). */
const ACCOUNT_TRACES = forAccounts('3f')

/**
 * Replaces each word after the first, which is a contract, with that contract's `balanceOf` for it;
 * with zero if the contract did not exist yet.
 */
const TOKEN_BALANCES = [
  '60563803806056604039', // size = bytes after the program; copy them to memory at 0x40
  '6370a0823160e01b600052', // selector of balanceOf(address) at 0
  '6020', // place = 32
  '5b81811015604757', // while place < size:
  '80604001', //   word = 0x40 + place
  '8051600452', //   its address behind the selector
  '602081602460006040515afa', //   static call of the contract, the answer in place of the word
  '15605057', //   fail where it fails
  '601f3d118151029052', //   zero in place of the word where it answers less than 32 bytes
  '602001601756', //   place += 32
  '5b50602090036060f3', // return size - 32 bytes from 0x60
  '5b60006000fd', // fail: revert
].join('')

/** What moves on a chain: `native`, or a token's contract in lower case. */
export type Asset = string
export const NATIVE: Asset = 'native'

/** What each address holds of an asset; nothing if it is left out. */
export type Balances = ReadonlyMap<string, bigint>

const ADDRESSES_A_CALL = 500
const CALLS_AT_ONCE = 4

/**
 * What each address holds of an asset, in the state after a block. Throws `RpcRefused` if the node
 * no longer has that state.
 */
export async function readBalances(
  node: EvmNode,
  asset: Asset,
  addresses: readonly string[],
  blockHash: string,
): Promise<Balances> {
  return asset === NATIVE
    ? await ask(node, NATIVE_BALANCES, addresses, blockHash)
    : await ask(node, TOKEN_BALANCES + wordOf(asset), addresses, blockHash)
}

/** The addresses that have native coins, or ever sent anything. */
export async function findTraces(
  node: EvmNode,
  addresses: readonly string[],
  blockHash: string,
): Promise<ReadonlySet<string>> {
  const hashes = await ask(node, ACCOUNT_TRACES, addresses, blockHash)
  return new Set(addresses.filter((address) => hashes.get(address) !== 0n))
}

async function ask(
  node: EvmNode,
  program: string,
  addresses: readonly string[],
  blockHash: string,
): Promise<Balances> {
  const answers = await mapWithConcurrency(
    chunk(addresses, ADDRESSES_A_CALL),
    CALLS_AT_ONCE,
    async (asked) => {
      const data = `0x${program}${asked.map(wordOf).join('')}`
      const answer = await node.call({ data }, blockHash)
      if (!hasWords(answer, asked.length)) {
        throw new Unavailable(`The node at ${node.host} answers eth_call with something else`)
      }
      return asked.map((address, place) => [address, numberAt(answer, place)] as const)
    },
  )
  return new Map(answers.flat())
}
