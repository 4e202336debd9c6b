import { sql } from 'kysely'

import { dice } from '#tests/kit/builders/shuffled.ts'
import { FEEDS } from '#tests/kit/servers/price-feed-servers.ts'
import type { PlayedAnswer, PlayedServer } from '#tests/kit/servers/played-server.ts'
import type { Behaviour } from '#tests/kit/servers/smtp-server.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import {
  bySize,
  type Finding,
  assess,
  neverMoreThan,
  type Proof,
  type ProofScope,
} from '../proof.ts'
import { startCounting } from '../machine.ts'
import { quantile } from '../quantile.ts'
import { type Buyers, createBuyers, pause } from './buyers.ts'
import type { Answer } from './caller.ts'
import { auditGround, firstOf, untilMailed } from './findings.ts'
import {
  addressOf,
  endlessSale,
  type Ground,
  hasEnded,
  preloads,
  prepareGround,
  type RunningServer,
} from './ground.ts'

/** A server that hangs keeps the mails of before for as long as the sender waits for an answer. */
const MAIL_TRIED_WITHIN_MS = 90_000
const BUYERS = 20
const READS = 200
const SLOW_MS = 30_000
const ANSWERED_WITHIN_MS = 60_000
const RATIO_MAX = 2
/** What a purchase takes to expire, and its chain to be read past it. */
const EXPIRY_MS = 60_000
const EXPIRED_WITHIN_MS = 150_000
const RECOVERS_WITHIN_MS = 120_000

/** The troubles that somebody else's server can have. */
const troubles = ['down', 'slow', 'garbage', 'truncated'] as const
type PlayedTrouble = (typeof troubles)[number]

type Site = {
  scope: ProofScope
  ground: Ground
  buyers: Buyers
  server: RunningServer
}

export const neighbours: Proof = {
  name: 'neighbours',
  title: 'Gateway, price feeds and mail server down, slow, or talking nonsense',
  kind: 'faults',
  run: proveNeighbours,
}

async function proveNeighbours(scope: ProofScope): Promise<Finding[]> {
  const ground = await prepareGround({
    database: 'postgres',
    users: BUYERS,
    payments: 'gateway',
    settings: unsafeButFast,
    saleFile: endlessSale('gateway').replace('expire_after_minutes: 60', 'expire_after_minutes: 1'),
  })
  try {
    const start = async () => {
      const server = await ground.start(preloads('hurry-mails.ts'))
      await server.opened
      return server
    }
    const site: Omit<Site, 'buyers'> = { scope, ground, server: await start() }
    const buyers = createBuyers({
      ground,
      seed: scope.seed,
      addressFor: () => site.server.address,
    })
    const whole: Site = Object.assign(site, { buyers })
    const roll = dice(scope.seed)
    const findings: Finding[] = []
    const kinds = bySize<readonly PlayedTrouble[]>(scope, {
      short: [troubles[roll(2)] ?? 'down', troubles[2 + roll(2)] ?? 'garbage'],
      whole: troubles,
      long: troubles,
    })
    // A short run does not wait for slow ones.
    const atOnce = kinds.filter((kind) => scope.size !== 'short' || kind !== 'slow')
    findings.push(...(await proveGateway(whole, atOnce)))
    findings.push(...(await proveMailServer(whole)))
    findings.push(...(await proveFeeds(whole, start, scope.size === 'short' ? ['garbage'] : kinds)))
    return findings
  } finally {
    await ground.close()
  }
}

/** Makes a server answer as the trouble has it. */
function trouble(played: PlayedServer, kind: PlayedTrouble, real: string): { happened(): number } {
  const before = played.calls.length
  const answers: Record<PlayedTrouble, () => PlayedAnswer | Promise<PlayedAnswer>> = {
    down: () => 'silence',
    slow: () =>
      new Promise((resolve) => {
        setTimeout(() => resolve('silence'), SLOW_MS).unref()
      }),
    garbage: () => ({ status: 200, text: '<html>It works!</html>' }),
    truncated: () => ({ status: 200, text: real.slice(0, Math.floor(real.length / 2)) }),
  }
  played.fault = answers[kind]
  return { happened: () => played.calls.length - before }
}

async function proveGateway(site: Site, kinds: readonly PlayedTrouble[]): Promise<Finding[]> {
  const { ground, scope, server } = site
  const gateway = ground.gateway
  if (gateway === null) throw new Error('This needs a gateway.')
  const counting = startCounting()
  const seen = { troubled: 0, wrong: [] as string[], refused: 0, unread: [] as string[] }
  const first = await buy(site, 0, 'before the trouble')
  if (first.status !== 201) throw new Error(`Nothing can be bought: ${JSON.stringify(first.body)}`)
  const boughtAt = performance.now()
  // The slowest of as many readings as there are troubles: else the worst of four would have to be
  // as quick as the only one.
  let quietMs = 0
  for (let nth = 0; nth < kinds.length; nth += 1) {
    quietMs = Math.max(quietMs, (await readAll(site)).p99Ms)
  }
  let slowest = 0
  for (const kind of kinds) {
    const real = '{"payment_id":"5000000001","payment_status":"waiting","pay_address":"addr"}'
    const { happened } = trouble(gateway, kind, real)
    const buying = Promise.all(
      Array.from({ length: 3 }, (_, nth) => buy(site, nth + 1, `${kind}-${nth}`)),
    )
    const reading = await readAll(site)
    seen.unread.push(...reading.wrong.map((each) => `${kind}: ${each}`))
    slowest = Math.max(slowest, reading.p99Ms)
    for (const answer of await buying) {
      if (answer.status === 503) seen.refused += 1
      else seen.wrong.push(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    if (happened() > 0) seen.troubled += 1
    // The last trouble stays until the purchase would have expired.
    if (kind === kinds.at(-1) && scope.size !== 'short') {
      await pause(EXPIRY_MS + 15_000 - (performance.now() - boughtAt))
    }
  }
  const expiredInSilence = await countExpired(ground)
  gateway.fault = null
  const again = await untilBought(site, 'after the trouble')
  const findings: Finding[] = [
    {
      promise: `A gateway that is ${kinds.join(', ')}: its purchases are refused with 503, nothing else is`,
      seen:
        `${seen.troubled} of ${kinds.length} troubles happened; ${seen.refused} purchases refused, ` +
        `${seen.wrong.length} answered otherwise, ${seen.unread.length} of ${READS * kinds.length} ` +
        `other calls failed${firstOf(scope, [...seen.wrong, ...seen.unread])}`,
      bar: 'every trouble, 0 answered otherwise, 0 others failed',
      assessment:
        seen.troubled === kinds.length && seen.refused > 0 && !hasEnded(server)
          ? neverMoreThan(0, seen.wrong.length + seen.unread.length)
          : 'failed',
    },
    {
      promise: 'Unrelated calls are no slower meanwhile',
      seen: `p99 ${slowest.toFixed(1)} ms, ${quietMs.toFixed(1)} ms before: ratio ${(slowest / quietMs).toFixed(2)}`,
      bar: `at most ${RATIO_MAX}`,
      assessment: assess(slowest / quietMs <= RATIO_MAX, counting().wasQuiet),
    },
    {
      promise: 'It sells again once the gateway answers',
      seen: again === Infinity ? 'never' : `after ${(again / 1000).toFixed(1)} s`,
      bar: `within ${RECOVERS_WITHIN_MS / 1000} s`,
      assessment: again === Infinity ? 'failed' : 'held',
    },
  ]
  if (scope.size === 'short') return findings
  const waitedMs = performance.now() - boughtAt
  const until = performance.now() + EXPIRED_WITHIN_MS
  while ((await countExpired(ground)) === 0 && performance.now() < until) await pause(500)
  const expired = await countExpired(ground)
  return [
    ...findings,
    {
      promise: 'Nothing expires while the gateway is silent, and it does once it has answered',
      seen:
        `${expiredInSilence} expired in ${Math.round(waitedMs / 1000)} s of a minute to pay, ` +
        `${expired} afterwards`,
      bar: '0 in silence, some afterwards',
      assessment: expired > 0 ? neverMoreThan(0, expiredInSilence) : 'failed',
    },
  ]
}

async function proveMailServer(site: Site): Promise<Finding[]> {
  const { ground, scope, buyers } = site
  const { witness } = buyers
  const behaviours: readonly Behaviour[] = bySize(scope, {
    short: ['turn away', 'drop in the middle'],
    whole: ['turn away', 'drop in the middle', 'later', 'hang', 'drop at the end'],
    long: ['turn away', 'drop in the middle', 'later', 'hang', 'drop at the end'],
  })
  const begun: number[] = []
  const sold: number[] = []
  for (const behaviour of behaviours) {
    ground.smtp.behaviour = behaviour
    const before = { begun: ground.smtp.begun, made: witness.made.size }
    const load = buyers.begin(`mail server: ${behaviour}`)
    await load.firstMade
    const until = performance.now() + MAIL_TRIED_WITHIN_MS
    while (ground.smtp.begun === before.begun && performance.now() < until) await pause(10)
    await pause(500)
    await load.stop()
    begun.push(ground.smtp.begun - before.begun)
    sold.push(witness.made.size - before.made)
  }
  ground.smtp.behaviour = 'take'
  await buyers.deliver()
  await untilMailed(ground, buyers)
  // Purchases of a minute may have expired meanwhile; what counts here is their mails.
  const { mails, broken } = await auditGround(ground, buyers)
  const answers = [...witness.wrong, ...witness.lost.map(({ fault }) => fault)]
  return [
    {
      promise: `A mail server that does this: ${behaviours.join(', ')}; purchases are made as before`,
      seen:
        `${begun.filter((count) => count > 0).length} of ${behaviours.length} troubles met mails; ` +
        `${sold.join(', ')} purchases meanwhile, ${answers.length} other answers${firstOf(scope, answers)}`,
      bar: 'every trouble, purchases in each, 0 other answers',
      assessment:
        begun.every((count) => count > 0) && sold.every((count) => count > 0)
          ? neverMoreThan(0, answers.length)
          : 'failed',
    },
    {
      promise: 'Every mail is handed over once the mail server takes them',
      seen: `${mails.missing.length} missing of ${mails.total}; ${broken.length} breaches of the books${firstOf(scope, [...mails.missing, ...broken])}`,
      bar: '0 missing, 0 breaches',
      assessment:
        mails.total > 0 ? neverMoreThan(0, mails.missing.length + broken.length) : 'failed',
    },
  ]
}

async function proveFeeds(
  site: Site,
  start: () => Promise<RunningServer>,
  kinds: readonly PlayedTrouble[],
): Promise<Finding[]> {
  const { ground, scope } = site
  const { feeds } = ground
  if (feeds === null) throw new Error('This needs price feeds.')
  const seen = { troubled: 0, wrong: [] as string[] }
  const restart = async () => {
    site.server.process.kill('SIGTERM')
    await site.server.ended
    await agePrices(ground)
    site.server = await start()
  }
  for (const kind of kinds) {
    const real = '{"error":[],"result":{"XETHZUSD":{"a":["2500","1","1.0"]}}}'
    const made = FEEDS.map((name) => trouble(feeds.serverOf(name), kind, real))
    await restart()
    const answer = await buy(site, 1, `stale-${kind}`)
    const reading = await readAll(site)
    if (made.some(({ happened }) => happened() > 0)) seen.troubled += 1
    if (answer.status !== 503) seen.wrong.push(`${kind}: ${answer.status}`)
    seen.wrong.push(...reading.wrong.map((each) => `${kind}: ${each}`))
  }
  for (const name of FEEDS) feeds.serverOf(name).fault = null
  const right = { ...feeds.dollars.kraken }
  feeds.dollars.kraken['ETH'] = '2500000'
  await restart()
  const dear = await buy(site, 2, 'a thousand times')
  const due = Number(dear.body.data?.payment_amount ?? 0)
  const priced = 10 / due
  Object.assign(feeds.dollars.kraken, right)
  return [
    {
      promise: `With feeds that are ${kinds.join(', ')} nothing is sold at an old price, and all else answers`,
      seen: `${seen.troubled} of ${kinds.length} troubles happened, ${seen.wrong.length} wrong${firstOf(scope, seen.wrong)}`,
      bar: 'every trouble, 0 wrong',
      assessment: seen.troubled === kinds.length ? neverMoreThan(0, seen.wrong.length) : 'failed',
    },
    {
      promise: 'A feed that says a thousand times the price changes nothing, and it sells again',
      seen: `${dear.status}, at $${priced.toFixed(0)} for one of $2500`,
      bar: '201, within 1 %',
      assessment: dear.status === 201 && Math.abs(priced / 2500 - 1) < 0.01 ? 'held' : 'failed',
    },
  ]
}

/** As if the last prices had been fetched an hour ago, and nobody were to wait for the next. */
async function agePrices(ground: Ground): Promise<void> {
  const open = await ground.open()
  await sql`update prices set fetched_at = fetched_at - interval '1 hour'`.execute(open.database)
  await sql`delete from leases`.execute(open.database)
  await open.close()
}

type Bought = { data?: { payment_amount: string | null } }

const buy = ({ ground, server, scope }: Site, index: number, key: string) =>
  ground.caller.call<Bought>(server.address, 'POST', '/transactions', {
    accessToken: ground.users[index]?.as.accessToken ?? '',
    key: `${scope.seed}-neighbour-${key}`.replaceAll(' ', '-'),
    from: addressOf(index),
    body: { purchase_amount: 10, purchase_token_id: 'eth' },
    withinMs: ANSWERED_WITHIN_MS,
  })

async function untilBought(site: Site, key: string): Promise<number> {
  const startedAt = performance.now()
  for (let tries = 1; performance.now() - startedAt < RECOVERS_WITHIN_MS; tries += 1) {
    const answer: Answer<Bought> = await buy(site, 4, `${key}-${tries}`)
    if (answer.status === 201) return performance.now() - startedAt
    await pause(250)
  }
  return Infinity
}

async function countExpired(ground: Ground): Promise<number> {
  const open = await ground.open()
  const rows = await open.database
    .selectFrom('purchases')
    .select('id')
    .where('status', '=', 'expired')
    .execute()
  await open.close()
  return rows.length
}

/** Calls that have nothing to do with the server in trouble. */
async function readAll({ ground, server }: Site) {
  const paths = ['/stages/active', '/projects/current', `/users/${ground.users[0]?.id}`]
  const accessToken = ground.users[0]?.as.accessToken ?? ''
  const took: number[] = []
  const wrong: string[] = []
  for (let nth = 0; nth < READS; nth += 1) {
    const path = paths[nth % paths.length] ?? ''
    const startedAt = performance.now()
    const answer = await ground.caller.call(server.address, 'GET', path, { accessToken })
    took.push(performance.now() - startedAt)
    if (answer.status !== 200) wrong.push(`${path}: ${answer.status}`)
  }
  return { wrong, p99Ms: quantile(took, 0.99) }
}
