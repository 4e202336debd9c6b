import { expect, test } from 'vitest'

import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import type { EvmNode } from '#server/payments/evm/calls/node.ts'
import { createEvmSweeping } from './evm-sweeping.ts'

/** What sending comes to where the node refuses in these words. */
async function sendRefused(words: string): Promise<string | null> {
  const node: Pick<EvmNode, 'sendRaw'> = {
    sendRaw: async () => await Promise.reject(new RpcRefused('It refuses', -32_000, words)),
  }
  const chain = {
    name: 'a chain',
    chainId: 1,
    treasury: null,
    paymentTokens: [],
    confirmations: 1,
    pool: {
      hosts: ['node.example'],
      use: async <Result>(work: (node: EvmNode) => Promise<Result>) => await work(node as EvmNode),
      askUntil: async () => await Promise.reject(new Error('One node is enough')),
    },
  }
  const sweeping = createEvmSweeping({ fingerprint: 'key', payer: 'payer', chains: [chain] })
  return await sweeping.send('a chain', '0x00')
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
