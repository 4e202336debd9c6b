import { TOTP } from 'otpauth'

import { authContract } from '#contract/auth.ts'
import { API_BASE } from '#contract/endpoint.ts'
import type { WatchedServer } from '#tests/prove/inputs/servers/watched-server.ts'
import { faultOf } from './check-reply.ts'
import { type FuzzedSale, makers } from './good-values.ts'
import { type Call, makeCall } from './make-call.ts'
import { newPerson, remember } from './remember.ts'
import { describeRequest, shrink } from './shrink.ts'
import { createWire, type Received, type Sent, type Wire } from '#tests/prove/wire.ts'
import { type Person, World } from './world.ts'

export type FuzzReport = {
  calls: number
  byRole: Map<string, number>
  byForm: Map<string, number>
  byStatus: Map<number, number>
  /** Replies of 503 that say when to come again, or that the call declares, by their reason. */
  declined: Map<string, number>
  /** Each kind once, with the smallest request that shows it. */
  faults: Map<string, string>
  /** How long the event loop was blocked, if that was beyond the limit, whatever blocked it. */
  longHolds: number[]
  /** Calls that block the loop for that long when they are made alone. */
  holding: string[]
  end: string | null
  purchases: number
}

const LANES = 16
const PEOPLE_AT_FIRST = 12
/** Of those, with two-factor login on from the beginning. */
const WITH_TWO_FACTOR = 3
const HOLD_MAX_MS = 50
/** How many calls that were in progress meanwhile are tried again alone. */
const SUSPECTS_MAX = 200
const FAULTS_MAX = 20

type Suspect = { call: Call; from: number; to: number }

/** Makes `count` random calls, many at a time, and checks each reply against the contract. */
export async function runFuzz(
  server: WatchedServer,
  sale: FuzzedSale,
  { count, seed }: { count: number; seed: number },
): Promise<FuzzReport> {
  const world = new World(seed)
  const wire = createWire(server.port, LANES)
  const report: FuzzReport = {
    calls: 0,
    byRole: new Map(),
    byForm: new Map(),
    byStatus: new Map(),
    declined: new Map(),
    faults: new Map(),
    longHolds: [],
    holding: [],
    end: null,
    purchases: 0,
  }
  const suspects: Suspect[] = []
  let heard = server.holds.length
  const lane = async () => {
    while (report.calls < count && server.ended() === null) {
      report.calls += 1
      const call = makeCall(world, sale)
      const from = Date.now()
      await tryOne(world, wire, server, call, report)
      recent.push({ call, from, to: Date.now() })
      if (recent.length > 4 * LANES) recent.splice(0, LANES)
      for (const hold of server.holds.slice(heard)) {
        heard += 1
        if (hold.heldMs < HOLD_MAX_MS) continue
        report.longHolds.push(hold.heldMs)
        const begin = hold.at - hold.heldMs - 10
        suspects.push(...recent.filter((one) => one.to >= begin && one.from <= hold.at))
      }
    }
  }
  const recent: Suspect[] = []
  await registerPeople(world, wire)
  for (const person of world.people.slice(0, WITH_TWO_FACTOR)) await turnOnTwoFactor(wire, person)
  await Promise.all(Array.from({ length: LANES }, lane))
  report.holding = await findHolding(server, wire, suspects)
  report.end = server.ended()
  wire.close()
  return report
}

async function registerPeople(world: World, wire: Wire): Promise<void> {
  const { method, path, body } = authContract.register
  for (let made = 0; made < PEOPLE_AT_FIRST; made += 1) {
    const names = Object.keys(body.shape).filter((name) => name !== 'referrals')
    const fields = Object.fromEntries(
      names.map((name) => [
        name,
        makers[name]?.(world, null, 'auth.register', { tokens: [], gateways: [] }),
      ]),
    )
    const reply = await wire.send({
      method,
      path: API_BASE + path,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': world.address() },
      body: Buffer.from(JSON.stringify(fields)),
    })
    if (reply.status !== 201) throw new Error(`Nobody can register: ${reply.body}`)
    world.addPerson(newPerson(JSON.parse(reply.body), String(fields['password'])))
  }
}

async function turnOnTwoFactor(wire: Wire, person: Person): Promise<void> {
  const ask = async ({ method, path }: { method: string; path: string }, body: object) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${person.access}`,
    }
    const sent = { method, path: API_BASE + path, headers, body: Buffer.from(JSON.stringify(body)) }
    const reply = await wire.send(sent)
    if (reply.status >= 300) throw new Error(`Nobody can turn on two-factor login: ${reply.body}`)
    return JSON.parse(reply.body) as unknown
  }
  const { startTwoFactor, confirmTwoFactor } = authContract
  const { secret } = (await ask(startTwoFactor, { password: person.password })) as {
    secret: string
  }
  const confirmed = await ask(confirmTwoFactor, { code: new TOTP({ secret }).generate() })
  person.secret = secret
  person.hasTwoFactor = true
  person.recoveryCodes = (confirmed as { recovery_codes: string[] }).recovery_codes
}

async function tryOne(
  world: World,
  wire: Wire,
  server: WatchedServer,
  call: Call,
  report: FuzzReport,
): Promise<void> {
  const check = async (sent: Sent): Promise<{ fault: string | null; reply: Received | null }> => {
    try {
      const reply = await wire.send(sent)
      return { fault: faultIn(call, sent, reply), reply }
    } catch (thrown) {
      const fault = thrown instanceof Error ? thrown.message : String(thrown)
      return { fault: isTooLarge(sent) ? null : `no reply: ${fault}`, reply: null }
    }
  }
  const { fault, reply } = await check(call.sent)
  raise(report.byRole, call.role)
  raise(report.byForm, call.form)
  if (reply !== null) {
    raise(report.byStatus, reply.status)
    if (reply.status === 503) raise(report.declined, reasonOf(reply))
    if (call.name === 'transactions.createTransaction' && reply.status === 201)
      report.purchases += 1
    remember(world, call, reply)
  }
  if (fault === null || report.faults.size >= FAULTS_MAX || server.ended() !== null) return
  const kind = fault.slice(0, 300)
  if (report.faults.has(kind)) return
  report.faults.set(kind, '')
  const smallest = await shrink(call.sent, async (sent) => (await check(sent)).fault === fault)
  report.faults.set(kind, `${call.name}, ${call.role}: ${describeRequest(smallest)}`)
}

function faultIn(call: Call, sent: Sent, reply: Received): string | null {
  const isDeclined = reply.status === 503
  if (reply.status >= 500 && !isDeclined) {
    const body = reply.body.replace(/"request_id":"[^"]*"/, '')
    return `${reply.status} ${call.name}: ${body.slice(0, 200)}`
  }
  return faultOf(call.endpoint, sent, reply)
}

/** A body beyond every limit may have its connection closed while it is still being sent. */
const isTooLarge = ({ body }: Sent) => body !== null && body.length > 64 * 1024

function reasonOf({ body }: Received): string {
  return /"reason":"(\w+)"/.exec(body)?.[1] ?? 'without a reason'
}

function raise<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Makes calls again, each alone, and names those that block the loop for too long. */
async function findHolding(
  server: WatchedServer,
  wire: Wire,
  suspects: readonly Suspect[],
): Promise<string[]> {
  const holding: string[] = []
  for (const { call } of suspects.slice(0, SUSPECTS_MAX)) {
    const before = server.holds.length
    await wire.send(call.sent).catch(() => {})
    const held = server.holds.slice(before).find(({ heldMs }) => heldMs >= HOLD_MAX_MS)
    if (held === undefined) continue
    // Garbage collection can happen at any moment; what a call causes, it causes again.
    const again = server.holds.length
    await wire.send(call.sent).catch(() => {})
    if (server.holds.slice(again).some(({ heldMs }) => heldMs >= HOLD_MAX_MS)) {
      holding.push(`${held.heldMs.toFixed(0)} ms: ${describeRequest(call.sent)}`)
    }
  }
  return holding
}
