import type { Transaction } from '#contract/shapes.ts'
import { parseDecimal } from '#domain/money.ts'
import { startAnvil } from '#tests/kit/servers/anvil.ts'
import { accountKey } from '#tests/kit/servers/evm-app.ts'
import { type RpcAnswer, type RpcProxy, startRpcProxy } from '#tests/kit/servers/rpc-proxy.ts'
import { missingPrograms } from '#tools/testing/chain-nodes.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import { pause } from './buyers.ts'
import { firstOf } from './findings.ts'
import { addressOf, endlessSale, type Ground, hasEnded, prepareGround } from './ground.ts'

const CONFIRMATIONS = 3
const SLOW_MS = 30_000
const EXPIRY_MS = 60_000
const ANSWERED_WITHIN_MS = 60_000
const RECOVERS_WITHIN_MS = 180_000

/** The troubles that a node can have: its reply instead, given its real reply. */
const TROUBLES = {
  down: async (): Promise<RpcAnswer> => 502,
  garbage: async (): Promise<RpcAnswer> => ({ result: '<html>It works!</html>' }),
  'of another chain': async (method: string, ask: () => Promise<RpcAnswer>): Promise<RpcAnswer> =>
    method === 'eth_chainId' ? { result: '0x38' } : await ask(),
  slow: async (): Promise<RpcAnswer> => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS).unref())
    return 502
  },
}
type NodeTrouble = keyof typeof TROUBLES

export const nodeAway: Proof = {
  name: 'node',
  title: 'A chain’s node down, slow, talking nonsense, of another chain',
  kind: 'faults',
  run: proveNode,
}

type Site = { ground: Ground; address: string; seed: number }
type Bought = { data?: Transaction }

async function proveNode(scope: ProofScope): Promise<Finding[]> {
  if (missingPrograms(process.env).some(({ name }) => name === 'Anvil')) {
    return [
      {
        promise: 'Nothing is lost while a node is away',
        seen: 'there is no anvil for this machine',
        bar: 'a node of our own',
        assessment: 'not judged',
      },
    ]
  }
  const anvil = await startAnvil()
  const node = await startRpcProxy(anvil.url)
  const ground = await prepareGround({
    database: 'postgres',
    users: 10,
    payments: 'gateway',
    settings: unsafeButFast,
    saleFile: saleOfEther(),
  })
  try {
    const server = await ground.start({
      EVM_XPUB: accountKey(`proof-${scope.seed}`),
      EVM_RPC_URL_1: node.url,
      EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
    })
    await server.opened
    const site = { ground, address: server.address, seed: scope.seed }
    const paid = await untilBought(site, 0, 'to be paid')
    await untilBought(site, 1, 'never paid')
    const boughtAt = performance.now()
    const kinds = bySize<readonly NodeTrouble[]>(scope, {
      short: ['garbage', 'down'],
      whole: ['garbage', 'of another chain', 'slow', 'down'],
      long: ['garbage', 'of another chain', 'slow', 'down'],
    })
    const seen = await makeTrouble(site, node, kinds, async () => {
      // In time, while the server cannot see it.
      await anvil.send({ to: paid.payment_address ?? '', value: dueOf(paid) })
      await anvil.mine(CONFIRMATIONS + 1)
    })
    if (scope.size !== 'short') await pause(EXPIRY_MS + 15_000 - (performance.now() - boughtAt))
    const silentMs = performance.now() - boughtAt
    const inSilence = await statuses(ground)
    node.intercept = null
    const completed = await untilStatus(site, paid.id, 'completed', async () => anvil.mine())
    const expired = inSilence.filter((status) => status === 'expired').length
    return [
      {
        promise: `With a node that is ${kinds.join(', ')}, all that has nothing to do with it answers`,
        seen:
          `${seen.happened} of ${kinds.length} troubles happened; ${seen.wrong.length} of ${seen.reads} ` +
          `other calls failed${firstOf(scope, seen.wrong)}`,
        bar: 'every trouble, 0 failed, the server goes on',
        assessment:
          seen.happened === kinds.length && !hasEnded(server)
            ? neverMoreThan(0, seen.wrong.length)
            : 'failed',
      },
      {
        promise: 'Nothing expires while the chain is silent',
        seen: `${expired} of ${inSilence.length} expired in ${Math.round(silentMs / 1000)} s of a minute to pay`,
        bar: scope.size === 'short' ? '0' : '0, longer than a minute',
        assessment:
          scope.size === 'short' || silentMs > EXPIRY_MS ? neverMoreThan(0, expired) : 'failed',
      },
      {
        promise: 'Who paid meanwhile gets the tokens once the node answers',
        seen:
          completed === Infinity
            ? `not within ${RECOVERS_WITHIN_MS / 1000} s (seed ${scope.seed})`
            : `after ${(completed / 1000).toFixed(1)} s`,
        bar: `within ${RECOVERS_WITHIN_MS / 1000} s`,
        assessment: completed === Infinity ? 'failed' : 'held',
      },
    ]
  } finally {
    await ground.close()
    await node.stop()
    await anvil.stop()
  }
}

/** Each trouble in turn; the last one stays. */
async function makeTrouble(
  site: Site,
  node: RpcProxy,
  kinds: readonly NodeTrouble[],
  meanwhile: () => Promise<void>,
) {
  const { ground, address } = site
  const seen = { happened: 0, reads: 0, wrong: [] as string[] }
  for (const [nth, kind] of kinds.entries()) {
    let count = 0
    node.intercept = async (method, _params, ask) => {
      count += 1
      return await TROUBLES[kind](method, ask)
    }
    if (nth === kinds.length - 1) await meanwhile()
    const until = performance.now() + RECOVERS_WITHIN_MS
    while (performance.now() < until) {
      for (const path of ['/stages/active', '/prices', `/users/${ground.users[2]?.id}`]) {
        const accessToken = ground.users[2]?.as.accessToken ?? ''
        const { status } = await ground.caller.call(address, 'GET', path, { accessToken })
        seen.reads += 1
        if (status !== 200) seen.wrong.push(`${kind}: ${path}: ${status}`)
      }
      if (count > 0) break
      await pause(100)
    }
    if (count > 0) seen.happened += 1
    const answer = await buy(site, 2 + nth, `while it is ${kind}`)
    if (answer.status !== 201 && answer.status !== 503) {
      seen.wrong.push(`${kind}: a purchase: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
  }
  return seen
}

function saleOfEther(): string {
  return endlessSale('gateway')
    .replace('{ nowpayments: eth }', '{ evm: eth }\n    chain_id: 1')
    .replace('expire_after_minutes: 60', 'expire_after_minutes: 1')
}

const dueOf = ({ payment_amount, payment_token }: Transaction) =>
  parseDecimal(payment_amount ?? '0', payment_token?.decimals ?? 0) ?? 0n

const buy = ({ ground, address, seed }: Site, index: number, key: string) =>
  ground.caller.call<Bought>(address, 'POST', '/transactions', {
    accessToken: ground.users[index]?.as.accessToken ?? '',
    key: `${seed}-${key}`.replaceAll(' ', '-'),
    from: addressOf(index),
    body: { purchase_amount: 10, purchase_token_id: 'eth' },
    withinMs: ANSWERED_WITHIN_MS,
  })

/** The chain has to be read once before anything is sold. */
async function untilBought(site: Site, index: number, key: string): Promise<Transaction> {
  const until = performance.now() + RECOVERS_WITHIN_MS
  for (;;) {
    const { status, body } = await buy(site, index, key)
    if (status === 201 && body.data !== undefined) return body.data
    if (performance.now() > until) throw new Error(`Nothing can be bought: ${JSON.stringify(body)}`)
    await pause(250)
  }
}

async function statuses(ground: Ground): Promise<string[]> {
  const open = await ground.open()
  const rows = await open.database.selectFrom('purchases').select('status').execute()
  await open.close()
  return rows.map(({ status }) => status)
}

async function untilStatus(
  { ground }: Site,
  id: string,
  wanted: string,
  again: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  const open = await ground.open()
  try {
    while (performance.now() - startedAt < RECOVERS_WITHIN_MS) {
      const query = open.database.selectFrom('purchases').select('status').where('id', '=', id)
      const { status } = await query.executeTakeFirstOrThrow()
      if (status === wanted) return performance.now() - startedAt
      await again()
      await pause(500)
    }
    return Infinity
  } finally {
    await open.close()
  }
}
