import { expect, test } from 'vitest'

import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import { createEvmSweeping } from './evm-sweeping.ts'

const CONFIRMATIONS = 12

function sweepingBy(node: Partial<EvmNode>) {
  const chain = {
    name: 'a chain',
    chainId: 1,
    treasury: null,
    paymentTokens: [],
    confirmations: CONFIRMATIONS,
    pool: {
      hosts: ['node.example'],
      use: async <Result>(work: (node: EvmNode) => Promise<Result>) => await work(node as EvmNode),
      askUntil: async () => await Promise.reject(new Error('One node is enough')),
    },
  }
  return createEvmSweeping({ fingerprint: 'key', payer: 'payer', chains: [chain] })
}

/** What sending comes to where the node refuses in these words. */
async function sendRefused(words: string): Promise<string | null> {
  const sendRaw = async () => await Promise.reject(new RpcRefused('It refuses', -32_000, words))
  return await sweepingBy({ sendRaw }).send('a chain', '0x00')
}

test.each([
  ['Geth', 'already known'],
  ['an older Geth', 'known transaction: 0xabcd'],
  ['Nethermind', 'AlreadyKnown'],
  ['Erigon', 'existing tx with same hash'],
  ['Besu', 'Known transaction'],
  ['Anvil', 'transaction already imported'],
])('a transaction that %s knows already was sent', async (_, words) => {
  expect(await sendRefused(words)).toBeNull()
})

test.each(['nonce too low', 'unknown transaction type', 'InsufficientFunds, Account balance: 0'])(
  'one that is refused with “%s” was not',
  async (words) => {
    expect(await sendRefused(words)).toBe(words)
  },
)

test.each([
  { what: 'is used by another', used: 8n, height: 89n, isMined: false, isReplaced: true },
  { what: 'is still to be used', used: 7n, height: 89n, isMined: false, isReplaced: false },
  {
    what: 'may be given back by other blocks',
    used: 8n,
    height: 90n,
    isMined: false,
    isReplaced: false,
  },
  {
    what: 'is used by the transaction itself',
    used: 8n,
    height: 89n,
    isMined: true,
    isReplaced: false,
  },
])('a transaction is replaced ($isReplaced) where its nonce $what', async (played) => {
  const sweeping = sweepingBy({
    head: async () => ({ number: 100n, hash: '0x01', parentHash: '0x00', timestamp: 0n }),
    transactionCount: async (_, height = 100n) => (height < played.height ? 0n : played.used),
    findReceipt: async () => (played.isMined ? ({} as never) : null),
  })
  const sent = { hash: '0x02', sender: 'sender', nonce: 7n }
  expect(await sweeping.isReplaced('a chain', sent)).toBe(played.isReplaced)
})
