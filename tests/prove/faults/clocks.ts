import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import { createBuyers, pause } from './buyers.ts'
import { auditFindings, endAndAudit, firstOf } from './findings.ts'
import { preloads, prepareGround, type RunningServer } from './ground.ts'

const BUYERS = 50
const HOUR_MS = 3_600_000
const JUMPS = [
  { name: 'an hour ahead', ms: HOUR_MS },
  { name: 'an hour behind', ms: -HOUR_MS },
  { name: 'a year ahead', ms: 365 * 24 * HOUR_MS },
] as const
const APART_MS = 5 * 60_000
const NOTICED_WITHIN_MS = 10_000

export const wrongClocks: Proof = {
  name: 'clocks',
  title: 'Machines whose clocks jump, beside one that is five minutes ahead',
  kind: 'faults',
  run: proveClocks,
}

async function proveClocks(scope: ProofScope): Promise<Finding[]> {
  const stayMs = bySize(scope, { short: 1_500, whole: 35_000, long: 300_000 })
  const ground = await prepareGround({
    database: 'postgres',
    users: BUYERS,
    settings: unsafeButFast,
  })
  try {
    const jumping = await ground.start({
      ...preloads('hurry-mails.ts', 'jumping-clock.ts'),
      CLOCK_JUMPS_MS: JSON.stringify(JUMPS.map(({ ms }) => ms)),
    })
    const ahead = await ground.start({
      ...preloads('hurry-mails.ts', 'jumping-clock.ts'),
      CLOCK_AHEAD_MS: String(APART_MS),
    })
    const servers = [jumping, ahead]
    await Promise.all(servers.map((server) => server.opened))
    const buyers = createBuyers({
      ground,
      seed: scope.seed,
      addressFor: (index) => servers[index % servers.length]?.address ?? '',
      thinkMs: 2_000,
    })
    const { witness } = buyers
    const load = buyers.begin('all the time')
    await load.firstMade
    let jumped = 0
    const isApart = await jump(ahead, APART_MS)
    for (const { ms } of JUMPS) {
      if (await jump(jumping, ms)) jumped += 1
      await pause(stayMs)
    }
    await load.stop()
    const { audit } = await endAndAudit(ground, buyers, servers)
    const open = await ground.open()
    const wrongTimes = await listWrongTimes(open.database)
    await open.close()
    const answers = [...witness.wrong, ...witness.lost.map(({ fault }) => fault)]
    return [
      {
        promise: 'The clocks were wrong',
        seen:
          `${jumped} of ${JUMPS.length} jumps (${JUMPS.map(({ name }) => name).join(', ')}); the other ` +
          `machine was ${isApart ? '' : 'not '}five minutes ahead`,
        bar: 'every jump, and five minutes',
        assessment: jumped === JUMPS.length && isApart ? 'held' : 'failed',
      },
      {
        promise: 'Nothing expires by a wrong clock, and no time of a purchase is a wrong one',
        seen: `${wrongTimes.length} of ${audit.purchases} purchases${firstOf(scope, wrongTimes)}`,
        bar: '0',
        assessment: audit.purchases > 0 ? neverMoreThan(0, wrongTimes.length) : 'failed',
      },
      {
        promise: 'Nobody is logged out or refused by a wrong clock',
        seen: `${answers.length} wrong answers, ${witness.refused} times 503${firstOf(scope, answers)}`,
        bar: '0 wrong answers, 0 times 503',
        assessment: neverMoreThan(0, answers.length + witness.refused),
      },
      ...auditFindings(scope, audit, witness, { repeatsMax: 0, mayAllBeKnown: true }),
    ]
  } finally {
    await ground.close()
  }
}

/** Makes the clock jump, and says whether the server lives at that time. */
async function jump(server: RunningServer, ms: number): Promise<boolean> {
  const before = server.out().length
  server.process.kill('SIGUSR2')
  const giveUpAt = performance.now() + NOTICED_WITHIN_MS
  while (performance.now() < giveUpAt) {
    const stated = /The clock says (\S+)/.exec(server.out().slice(before))?.[1]
    if (stated !== undefined) return Math.abs(new Date(stated).getTime() - Date.now() - ms) < 10_000
    await pause(20)
  }
  return false
}

async function listWrongTimes(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; status: string; created_at: Date; expires_at: Date }>`
    select id, status, created_at, expires_at from purchases
    where status = 'expired'
      or expires_at <> created_at + interval '60 minutes'
      or created_at not between now() - interval '50 minutes' and now()`.execute(database)
  return rows.map(
    ({ id, status, created_at, expires_at }) =>
      `${id} is ${status}, made ${created_at.toISOString()}, until ${expires_at.toISOString()}`,
  )
}
