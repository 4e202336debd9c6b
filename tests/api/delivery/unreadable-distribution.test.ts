import { afterEach, beforeEach, expect, test } from 'vitest'

import { consoleContract } from '#contract/operator/console.ts'
import { createDeliveryChain } from '#server/payments/evm/claims/delivery-chain.ts'
import { secret } from '#server/payments/variables.ts'
import { followDistributions } from '#server/use-cases/deliveries/follow-distributions.ts'
import { anOperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { aSnapshot, deliveredSale, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
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
    const number = first === 'latest' ? HEAD : Number(first)
    const [hash, parentHash] = [hashOf(number), hashOf(number - 1)]
    return { result: { number: `0x${number.toString(16)}`, hash, parentHash, timestamp: '0x0' } }
  }
}

async function listed() {
  const query = { kind: 'chain', order: 'oldest' } as const
  const { body } = await app.client.call(consoleContract.listInbox, { query }, operator)
  return body.data.filter(({ id }) => id === INBOX_ID)
}

test('whoever took an unreadable chain keeps it while another list on it is read', async () => {
  await aSnapshot(app, [{ tokens: 1_000n, wallet: walletOf(1) }])
  playChain(app)
  for (const [through, contract] of [walletOf(98), UNREADABLE].entries()) {
    const { id } = await aDistribution(app, { tool: 'plain', through })
    await publish(app, id, { contract })
  }
  const chain = createDeliveryChain({
    chainId: 56,
    urls: [secret(node.url)],
    confirmations: 1,
    explorerUrl: () => null,
  })
  Object.assign(app.services, { deliveryChains: new Map([[56, chain]]) })
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
