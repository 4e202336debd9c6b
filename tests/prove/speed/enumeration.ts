/**
 * `npx node tests/prove/speed/enumeration.ts`: whether the time that an answer takes tells if an
 * address has an account. Asks a server of its own, over HTTP, in turns for addresses that have one
 * and for addresses that have none, and prints how well the times tell the two apart: an AUC of 0.5
 * is no better than a coin, 1 is certainty. Exits with 1 beyond 0.45 to 0.55.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { median } from '../quantile.ts'

const AUC_MIN = 0.45
const AUC_MAX = 0.55
const ANSWER_WITHIN_MS = 30_000
/** Below what one account may be tried from one place. */
const LOGINS_PER_ACCOUNT = 5
const PASSWORD = 'passw0rd-1815'

const { values } = parseArgs({ options: { samples: { type: 'string', default: '500' } } })
const samples = Number(values.samples)
/** Calls so far, each from an address of its own. */
let places = 0

type Measure = { name: string; known: number[]; unknown: number[]; bodies: Set<string> }
type Call = (email: string) => Promise<{ status: number; body: string }>

const folder = mkdtempSync(join(tmpdir(), 'presale-enumeration-'))
const { port, opened, stop } = await startServerOnFreePort({
  DATA_DIR: folder,
  // Each call comes from an address of its own, so that no rate limit answers.
  TRUSTED_PROXIES: '1',
  LOG_LEVEL: 'error',
})
try {
  await opened
  process.exitCode = (await measureAll()) ? 0 : 1
} finally {
  await stop()
  rmSync(folder, { recursive: true })
}

async function measureAll(): Promise<boolean> {
  say(`Registering ${samples} accounts …`)
  const known = Array.from({ length: samples }, (_, index) => `known.${index}@example.com`)
  const unknown = Array.from({ length: samples }, (_, index) => `never.${index}@example.com`)
  for (const email of known) await register(email)
  const fewKnown = spread(known)
  const fewUnknown = spread(unknown)
  const measures = [
    await measure('login', login, fewKnown, fewUnknown),
    await measure('forgot-password', forgot, known, unknown),
  ]
  return measures.map(report).every(Boolean)
}

/** As many samples, of fewer addresses: each is logged in to a few times. */
function spread(emails: readonly string[]): string[] {
  return emails.map((_, index) => emails[Math.floor(index / LOGINS_PER_ACCOUNT)] ?? '')
}

/** Asks for both kinds alternately, each first as often, so that a slow moment hits both. */
async function measure(
  name: string,
  call: Call,
  known: readonly string[],
  unknown: readonly string[],
): Promise<Measure> {
  say(`Measuring ${name}, 2 × ${samples} in turns …`)
  const measured: Measure = { name, known: [], unknown: [], bodies: new Set() }
  const time = async (email: string, into: number[]) => {
    const startedAt = performance.now()
    const { status, body } = await call(email)
    into.push(performance.now() - startedAt)
    measured.bodies.add(`${status} ${body.replace(/"request_id":"[^"]*"/, '')}`)
  }
  for (let index = 0; index < samples; index += 1) {
    const both = [
      () => time(known[index] ?? '', measured.known),
      () => time(unknown[index] ?? '', measured.unknown),
    ]
    for (const one of index % 2 === 0 ? both : both.toReversed()) await one()
  }
  return measured
}

function report({ name, known, unknown, bodies }: Measure): boolean {
  const auc = areaUnderCurve(known, unknown)
  const isFine = auc >= AUC_MIN && auc <= AUC_MAX && bodies.size === 1
  say(
    `${name}: AUC ${auc.toFixed(3)}, median ${median(known).toFixed(1)} ms with an account and ` +
      `${median(unknown).toFixed(1)} ms without, ${bodies.size} kind(s) of answer: ` +
      (isFine ? 'tells nothing' : 'TELLS THEM APART'),
  )
  return isFine
}

/** How often an address with an account took longer than one without; a draw is a half. */
function areaUnderCurve(known: readonly number[], unknown: readonly number[]): number {
  let wins = 0
  for (const one of known) {
    for (const other of unknown) wins += one > other ? 1 : one === other ? 0.5 : 0
  }
  return wins / (known.length * unknown.length)
}

async function login(email: string) {
  return await post('/auth/login', { email, password: 'not-the-passw0rd' })
}

async function forgot(email: string) {
  return await post('/auth/forgot-password', { email })
}

async function register(email: string): Promise<void> {
  const { status, body } = await post('/auth/register', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email,
    nationality: 'GB',
    password: PASSWORD,
  })
  if (status !== 201) throw new Error(`Nobody could be registered: ${body}`)
}

async function post(path: string, body: object): Promise<{ status: number; body: string }> {
  places += 1
  const place = `10.${(places >> 16) & 255}.${(places >> 8) & 255}.${places & 255}`
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': place },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  return { status: reply.status, body: await reply.text() }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
