import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { dice } from '#tests/kit/builders/shuffled.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { bySize, type Finding, assess, type Proof, type ProofScope } from '../proof.ts'
import { startCounting } from '../machine.ts'
import { median } from '../quantile.ts'
import { type Audit, auditAll } from './audit.ts'
import { type Buyers, createBuyers, isLost, pause } from './buyers.ts'
import { auditFindings, countUnfinished, untilMailed } from './findings.ts'
import { isInsideTransaction, type NamedPoint, namedPoints } from './death-points.ts'
import { type Ground, hasEnded, preloads, prepareGround, type RunningServer } from './ground.ts'
import {
  type BlackBox,
  type DeathPoint,
  NOTHING_DONE,
  readBlackBox,
  textOfBox,
} from './in-server/black-box.ts'
import type { Witness } from './witness.ts'

const BUYERS = 200
/** Generous, since a busy machine is not a fault. */
const OPEN_WITHIN_MS = 120_000
const POINT_WITHIN_MS = 90_000
const LAST_SERVERS_MAX = 8
const QUIET_WITHIN_MS = 120_000
const CLOSING_MAX_MS = 400
const LOAD_MAX_MS = 700
const SELLING_WITHIN_MS = 5_000

/** What is done at random, alternating with the named points. */
const RANDOM_KINDS = ['load', 'start', 'mail', 'load', 'closing', 'load'] as const
type RandomKind = (typeof RANDOM_KINDS)[number]
type Plan = { kind: RandomKind } | { kind: 'named'; point: NamedPoint; nth: number }

type Tally = {
  kills: number
  byKind: Map<string, number>
  inTransaction: number
  inStatement: number
  reached: Set<string>
  missed: string[]
  /** From the start of the process to its first purchase. */
  sellingMs: number[]
}

type Site = {
  scope: ProofScope
  ground: Ground
  witness: Witness
  buyers: Buyers
  tally: Tally
  roll: (sides: number) => number
  box: string
  /** Where buyers buy now. */
  current: { server: RunningServer | null }
}

export const killsOfEmbedded = killsOn('embedded', 'the embedded database')
export const killsOfPostgres = killsOn('postgres', 'PostgreSQL')

function killsOn(database: 'embedded' | 'postgres', title: string): Proof {
  return {
    name: `kill-${database}`,
    title: `Servers killed under ${BUYERS} buyers and mailing, on ${title}`,
    kind: 'faults',
    run: (scope) => proveKills(scope, database),
  }
}

async function proveKills(scope: ProofScope, database: 'embedded' | 'postgres') {
  const payments = database === 'postgres' ? 'gateway' : 'sandbox'
  const cycles = bySize(scope, { short: 4, whole: 100, long: 500 })
  // A killed server takes nothing with it that PostgreSQL has: this only tests its own code.
  const settings = unsafeButFast
  const ground = await prepareGround({ database, users: BUYERS, payments, settings })
  const counting = startCounting()
  try {
    const site = createSite(scope, ground)
    const plans = planCycles(cycles, payments, site.roll)
    for (const [nth, plan] of plans.entries()) {
      const what = plan.kind === 'named' ? plan.point.name : plan.kind
      await runCycle(site, plan, `cycle ${nth + 1}, ${what}`)
      if ((nth + 1) % 10 === 0) {
        scope.say(`  ${nth + 1} kills, ${site.witness.made.size} purchases acknowledged`)
      }
    }
    const audit = await settleAndAudit(site)
    return listFindings(site, audit, plans, counting().wasQuiet)
  } finally {
    await ground.close()
  }
}

function createSite(scope: ProofScope, ground: Ground): Site {
  const current: Site['current'] = { server: null }
  const buyers = createBuyers({
    ground,
    seed: scope.seed,
    addressFor: () => current.server?.address ?? 'http://127.0.0.1:9',
    doServersClose: true,
    // A gateway is asked about ten payments a second, so that more would be waited for.
    ...(ground.gateway === null
      ? { thinkMs: 2_000, paidOneOf: 4 }
      : { thinkMs: 3_000, paidOneOf: 3 }),
  })
  const tally: Tally = {
    kills: 0,
    byKind: new Map(),
    inTransaction: 0,
    inStatement: 0,
    reached: new Set(),
    missed: [],
    sellingMs: [],
  }
  const box = join(ground.folder, 'black-box.json')
  const { witness } = buyers
  return { scope, ground, witness, buyers, tally, roll: dice(scope.seed), box, current }
}

/**
 * Named points and random moments in turns, each point as often as there is room for. The first one
 * is inside a transaction, which a run of a few kills might not hit by chance.
 */
function planCycles(
  cycles: number,
  payments: 'sandbox' | 'gateway',
  roll: (sides: number) => number,
): Plan[] {
  const points = namedPoints.filter((point) => (point.payments ?? payments) === payments)
  const order: NamedPoint[] = []
  return Array.from({ length: cycles }, (_, cycle): Plan => {
    if (cycle % 2 === 0) {
      const kind = RANDOM_KINDS[(cycle / 2) % RANDOM_KINDS.length] ?? 'load'
      return { kind }
    }
    if (order.length === 0) order.push(...points)
    const choice = cycle === 1 ? order.filter(isInsideTransaction) : order
    const point = choice[roll(choice.length)]
    if (point === undefined) throw new Error('There is no point to die at.')
    order.splice(order.indexOf(point), 1)
    return { kind: 'named', point, nth: 1 + roll(point.oneOf) }
  })
}

async function runCycle(site: Site, plan: Plan, during: string): Promise<void> {
  const { ground, witness, tally, roll, buyers } = site
  await postponeUnpaid(site)
  const point: DeathPoint | null = plan.kind === 'named' ? { ...plan.point, nth: plan.nth } : null
  const server = await startWatched(site, point)
  const isInStart =
    plan.kind === 'start' || (plan.kind === 'named' && plan.point.isInStart === true)
  if (isInStart) {
    if (plan.kind === 'start') {
      await Promise.race([
        server.opened.catch(() => {}),
        pause(roll(Math.round(median(tally.sellingMs)) || 3_000)),
      ])
      // If it was quicker than expected, it is killed at once, in its first moments.
      kill(server)
    } else await diesByItself(site, server, point)
    await server.ended
    return count(site, plan)
  }
  await withinMs(
    OPEN_WITHIN_MS,
    Promise.race([server.opened, server.ended]),
    'A server did not open',
  )
  const isAlive = await buyers.askAgain(during).then(
    () => true,
    (fault: unknown) => {
      if (!isLost(fault)) throw fault
      return false
    },
  )
  const load = buyers.begin(during)
  const first = await withinMs(
    OPEN_WITHIN_MS,
    Promise.race([load.firstMade.then(() => true), server.ended.then(() => false)]),
    'Nothing could be bought',
  )
  if (isAlive && first) tally.sellingMs.push(performance.now() - server.startedAt)
  if (plan.kind === 'load') await pause(roll(LOAD_MAX_MS))
  if (plan.kind === 'mail') await untilTakenInSilence(ground)
  if (plan.kind === 'closing') {
    server.process.kill('SIGTERM')
    await pause(roll(CLOSING_MAX_MS))
  }
  if (plan.kind === 'named') await diesByItself(site, server, point)
  kill(server)
  await server.ended
  await load.stop()
  ground.smtp.behaviour = 'take'
  count(site, plan)
  if (witness.wrong.length > 0) throw new Error(`A caller was answered ${witness.wrong[0]}`)
}

async function startWatched(site: Site, point: DeathPoint | null): Promise<RunningServer> {
  writeFileSync(site.box, textOfBox(NOTHING_DONE))
  const server = await site.ground.start({
    BLACK_BOX: site.box,
    DEATH_POINT: JSON.stringify(point),
    ...preloads('hurry-mails.ts', 'die-at-point.ts'),
  })
  site.current.server = server
  return server
}

function kill(server: RunningServer): void {
  if (!hasEnded(server)) server.process.kill('SIGKILL')
}

async function diesByItself(site: Site, server: RunningServer, point: DeathPoint | null) {
  await Promise.race([server.ended, pause(POINT_WITHIN_MS)])
  const name = point?.name ?? ''
  if (hasEnded(server) && readBlackBox(site.box).diedAt === name) site.tally.reached.add(name)
  else site.tally.missed.push(`${name} (${server.err().slice(-300)})`)
}

/** Until a mail was accepted completely, without its sender knowing. */
async function untilTakenInSilence({ smtp }: Ground): Promise<void> {
  smtp.behaviour = 'take in silence'
  const before = smtp.taken.length
  const giveUpAt = performance.now() + POINT_WITHIN_MS
  // A call begun before is answered; the next one is not.
  while (smtp.taken.length < before + 2 && performance.now() < giveUpAt) await pause(5)
  if (smtp.taken.length === before) throw new Error('No mail came to be left without an answer.')
}

function count({ tally, box }: Site, plan: Plan): void {
  tally.kills += 1
  tally.byKind.set(plan.kind, (tally.byKind.get(plan.kind) ?? 0) + 1)
  const { transactions, statements }: BlackBox = readBlackBox(box)
  if (transactions > 0) tally.inTransaction += 1
  if (statements > 0) tally.inStatement += 1
}

/**
 * Nobody waits for news of what nobody pays, and a gateway is asked about ten payments a second.
 */
async function postponeUnpaid({ ground, witness }: Site): Promise<void> {
  if (ground.gateway === null) return
  const paid = [...witness.made.values()].filter((made) => made.paid !== 'no')
  const open = await ground.open()
  await open.database
    .updateTable('gateway_payments')
    .set({ ask_next_at: new Date(Date.now() + 3_600_000) })
    .where('purchase_id', '<>', (where) =>
      where.fn('all', [where.val(paid.map(({ purchase }) => purchase.id))]),
    )
    .where('ask_next_at', 'is not', null)
    .execute()
  await open.close()
}

/**
 * A last server, which nobody kills, does the rest; then everything is compared. On a busy machine
 * it may take more than one, since nobody can look into a server's embedded database.
 */
async function settleAndAudit(site: Site): Promise<Audit> {
  const { ground, witness } = site
  for (let left = LAST_SERVERS_MAX; ; left -= 1) {
    await finish(site)
    const open = await ground.open()
    try {
      if (left === 1 || (await countUnfinished(open.database)) === 0) {
        return await auditAll(open.database, witness, ground.smtp.taken)
      }
    } finally {
      await open.close()
    }
  }
}

async function finish(site: Site): Promise<void> {
  const { ground, buyers } = site
  await postponeUnpaid(site)
  const server = await startWatched(site, null)
  await server.opened
  await buyers.askUntilAnswered()
  await buyers.deliver()
  await postponeUnpaid(site)
  await untilAsked(site)
  await untilMailed(ground, buyers)
  server.process.kill('SIGTERM')
  const code = await server.ended
  if (code !== 0) throw new Error(`The last server ended with ${code}: ${server.err()}`)
}

/**
 * A killed server takes with it for a minute the payments that it was asking about. How many are
 * left depends on how fast the machine is, so it waits while more are settled.
 */
async function untilAsked({ ground, witness, scope }: Site): Promise<void> {
  if (ground.gateway === null) return
  const paid = [...witness.made.values()].filter((made) => made.paid !== 'no')
  const ids = paid.map(({ purchase }) => purchase.id)
  const open = await ground.open()
  const unsettled = open.database
    .selectFrom('purchases')
    .select('id')
    .where('id', '=', (where) => where.fn('any', [where.val(ids)]))
    .where('status', '<>', 'completed')
  if (scope.size === 'short') {
    // A minute is more than a short run has.
    await open.database
      .updateTable('gateway_payments')
      .set({ ask_next_at: new Date() })
      .where('purchase_id', 'in', unsettled)
      .where('ask_next_at', 'is not', null)
      .execute()
  }
  let count = Infinity
  let changedAt = performance.now()
  while (count > 0 && performance.now() - changedAt < QUIET_WITHIN_MS) {
    await pause(500)
    const { length } = await unsettled.execute()
    if (length < count) changedAt = performance.now()
    count = length
  }
  await open.close()
}

function listFindings(
  site: Site,
  audit: Audit,
  plans: readonly Plan[],
  wasQuiet: boolean,
): Finding[] {
  const { tally, witness, scope } = site
  const { kills, reached, missed, sellingMs } = tally
  const names = new Set(plans.flatMap((plan) => (plan.kind === 'named' ? plan.point.name : [])))
  const inStart = plans.filter(
    (plan) => plan.kind === 'start' || (plan.kind === 'named' && plan.point.isInStart),
  ).length
  const seeded = ` (seed ${scope.seed})`
  const some = (list: readonly string[]) =>
    list.length === 0 ? '' : `: ${list.slice(0, 3).join('; ')}${seeded}`
  const pointsWanted = Math.min(names.size, bySize(scope, { short: 1, whole: 20, long: 20 }))
  const slowest = Math.max(...sellingMs)
  return [
    {
      promise: 'The kills happened, at named points, inside transactions and in starts',
      seen:
        `${kills} kills; ${reached.size} of ${names.size} named points reached, ` +
        `${tally.inTransaction} with a transaction open, ${tally.inStatement} with a statement on ` +
        `its way, ${inStart} in a start, ${tally.byKind.get('closing') ?? 0} while closing${some(missed)}`,
      bar: `all points reached, at least ${pointsWanted}; some inside transactions and in starts`,
      assessment:
        missed.length === 0 &&
        reached.size >= pointsWanted &&
        tally.inTransaction > 0 &&
        inStart > 0
          ? 'held'
          : 'failed',
    },
    ...auditFindings(scope, audit, witness, { repeatsMax: kills }),
    {
      promise: 'It sells again within 5 s of its start',
      seen: `median ${(median(sellingMs) / 1000).toFixed(1)} s, slowest ${(slowest / 1000).toFixed(1)} s`,
      bar: 'at most 5 s',
      assessment: assess(slowest <= SELLING_WITHIN_MS, wasQuiet),
    },
  ]
}

async function withinMs<Value>(ms: number, work: Promise<Value>, what: string): Promise<Value> {
  const late = pause(ms).then((): never => {
    throw new Error(`${what} within ${ms / 1000} s.`)
  })
  late.catch(() => {})
  return await Promise.race([work, late])
}
