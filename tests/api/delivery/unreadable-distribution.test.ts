import { afterEach, beforeEach, expect, test } from 'vitest'

import { deliveriesContract } from '#contract/delivery/deliveries.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { TRANSFER } from '#server/payments/evm/calls/abi.ts'
import { createDeliveryChain } from '#server/payments/evm/claims/delivery-chain.ts'
import { secret } from '#server/payments/variables.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import {
  aSnapshot,
  deliveredSale,
  TOKEN_CONTRACT,
  walletOf,
} from '#tests/kit/delivery/a-snapshot.ts'
import { aDistribution, publish } from '#tests/kit/delivery/distribution-calls.ts'
import { hashOf, playChain } from '#tests/kit/delivery/played-chain.ts'
import { type RpcAnswer, type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const HEAD = 20
const UNREADABLE = walletOf(99)
const INBOX_ID = 'delivery:eip155:56'

let app: TestApp
let node: RpcProxy
beforeEach(async () => {
  app = await startApp({ changeSale: deliveredSale() })
  node = await startRpcProxy('http://127.0.0.1:1')
})
afterEach(async () => {
  await app.close()
  await node.stop()
})

/** A chain without deliveries; one wallet's transfers can be made unreadable. */
function play({ isWhole }: { isWhole: boolean }): void {
  node.intercept = async (method, [first]): Promise<RpcAnswer> => {
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_getLogs') {
      const isIts = JSON.stringify(first).includes(UNREADABLE.slice(2).toLowerCase())
      return isIts && !isWhole ? 503 : { result: [] }
    }
    return blockAt(first, () => 0)
  }
}

function blockAt(which: unknown, secondsOf: (number: number) => number): RpcAnswer {
  const number = which === 'latest' ? HEAD : Number(which)
  const [hash, parentHash] = [hashOf(number), hashOf(number - 1)]
  const timestamp = `0x${secondsOf(number).toString(16)}`
  return { result: { number: `0x${number.toString(16)}`, hash, parentHash, timestamp } }
}

/** From now on the server reads from the node. */
function useNode(): void {
  const chain = createDeliveryChain({
    chainId: 56,
    urls: [secret(node.url)],
    confirmations: 1,
    explorerUrl: () => null,
  })
  Object.assign(app.services, { deliveryChains: new Map([[56, chain]]) })
}

async function listed() {
  const query = { kind: 'chain', order: 'oldest' } as const
  const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
  return body.data.filter(({ id }) => id === INBOX_ID)
}

test('a list that was published without a node is read from before it was made, whatever its first block', async () => {
  const ada = await aUser(app)
  await aSnapshot(app, [{ userId: ada.user.id, tokens: 1_000n, wallet: walletOf(1) }])
  const { id } = await aDistribution(app, { tool: 'plain' })
  const sender = walletOf(98)
  await publish(app, id, { contract: sender, from_block: '900000000' })
  // The list was made a moment after block 11, and sent in block 12.
  const madeSeconds = Math.floor(app.clock.now().getTime() / 1000)
  const word = (hex: string) => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`
  const log = {
    address: TOKEN_CONTRACT.toLowerCase(),
    topics: [TRANSFER, word(sender), word(walletOf(1))],
    data: word(`0x${1_000n.toString(16)}`),
    blockNumber: '0xc',
    blockHash: hashOf(12),
    transactionHash: hashOf(1),
    logIndex: '0x0',
  }
  node.intercept = async (method, [first]): Promise<RpcAnswer> => {
    if (method === 'eth_chainId') return { result: '0x38' }
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string }
      const isIn = Number(fromBlock) <= 12 && Number(toBlock) >= 12
      return { result: isIn ? [log] : [] }
    }
    return blockAt(first, (number) => madeSeconds + (number - 11) * 60 - 1)
  }
  useNode()
  await followDistributions(app.services)
  const { body } = await app.client.call(deliveriesContract.listOwnDeliveries, {}, ada.as)
  expect(body.deliveries).toMatchObject([{ state: 'delivered' }])
  const call = distributionsContract.getDistribution
  const seen = await app.client.call(call, { params: { id } }, operator)
  expect(seen.body.progress).toMatchObject({ delivered: 1 })
})

test('whoever took an unreadable chain keeps it while another list on it is read', async () => {
  await aSnapshot(app, [{ tokens: 1_000n, wallet: walletOf(1) }])
  playChain(app)
  for (const [through, contract] of [walletOf(98), UNREADABLE].entries()) {
    const { id } = await aDistribution(app, { tool: 'plain', through })
    await publish(app, id, { contract })
  }
  useNode()
  play({ isWhole: false })
  await followDistributions(app.services)
  const olga = await anOperatorPerson(app, 'owner', 'Olga')
  const body = { kind: 'chain', id: INBOX_ID } as const
  await app.client.call(consoleContract.takeInboxItem, { body }, olga.as)
  await followDistributions(app.services)
  expect(await listed()).toMatchObject([{ owner: { name: 'Olga' } }])
  play({ isWhole: true })
  await followDistributions(app.services)
  expect(await listed()).toEqual([])
})
