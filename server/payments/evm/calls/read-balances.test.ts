import { expect, test } from 'vitest'
import type { EvmNode } from './node.ts'
import { findTraces, NATIVE, readBalances } from './read-balances.ts'

const ADDRESSES = ['0x00000000000000000000000000000000000000aa', `0x${'b'.repeat(40)}`]
const WORD = '0'.repeat(62) + '64'

function nodeAnswering(answer: string): EvmNode {
  const refuse = async () => {
    throw new Error('Balances are read by calls alone')
  }
  return {
    rpc: { host: 'node.example', call: refuse, callExactly: refuse, callEach: refuse },
    host: 'node.example',
    chainId: refuse,
    head: refuse,
    block: refuse,
    blockWithTransactions: refuse,
    receipt: refuse,
    logs: refuse,
    call: async () => answer,
    codeAt: refuse,
    gasPrice: refuse,
    transactionCount: refuse,
    estimateGas: refuse,
    sendRaw: refuse,
    findReceipt: refuse,
    transaction: refuse,
    receiptOf: refuse,
    trace: refuse,
  }
}

test('each address has the balance of its word', async () => {
  const balances = await readBalances(nodeAnswering(`0x${WORD}${WORD}`), NATIVE, ADDRESSES, '0x1')
  expect([...balances.values()]).toEqual([100n, 100n])
})

test.each([
  ['nothing', '0x'],
  ['one byte', '0x00'],
  ['a word too few', `0x${WORD}`],
  ['a last word that is cut short', `0x${WORD}${WORD.slice(0, 2)}`],
  ['a word too many', `0x${WORD}${WORD}${WORD}`],
])('%s in answer to two addresses is no balance', async (_, answer) => {
  const node = nodeAnswering(answer)
  const wrong = 'The node at node.example answers eth_call with something else'
  await expect(readBalances(node, NATIVE, ADDRESSES, '0x1')).rejects.toThrow(wrong)
  await expect(findTraces(node, ADDRESSES, '0x1')).rejects.toThrow(wrong)
})
