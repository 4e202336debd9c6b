import { sql } from 'kysely'

import type { Database } from '#server/database/tables/tables.ts'
import { type Finding, neverMoreThan, type ProofScope } from '../proof.ts'
import { type Audit, auditAll } from './audit.ts'
import { type Buyers, pause } from './buyers.ts'
import { type Ground, hasEnded, type RunningServer } from './ground.ts'
import type { Witness } from './witness.ts'

/** The first of what went wrong, with what it takes to run it again. */
export function firstOf({ seed }: Pick<ProofScope, 'seed'>, list: readonly string[]): string {
  return list[0] === undefined ? '' : `: ${list[0]} (seed ${seed})`
}

/** What must hold after every fault. A failing check names its seed and what was lost. */
export function auditFindings(
  { seed }: Pick<ProofScope, 'seed'>,
  audit: Audit,
  witness: Witness,
  {
    repeatsMax,
    mayAllBeKnown = false,
  }: {
    /** How many mails may have been handed over twice. */
    repeatsMax: number
    /** Whether it is acceptable that every caller got a reply, so that no fault was noticed. */
    mayAllBeKnown?: boolean
  },
): Finding[] {
  const some = (list: readonly string[]) =>
    list.length === 0 ? '' : `: ${list.slice(0, 3).join('; ')} (seed ${seed})`
  const wrong = [...audit.lost, ...audit.doubled]
  return [
    {
      promise: 'No acknowledged purchase is lost, none is doubled, and a repeated key has one',
      seen:
        `${audit.lost.length} lost and ${audit.doubled.length} doubled of ${witness.made.size}; ` +
        `${witness.asked} unknown outcomes asked again, of which ${witness.wereMade} had been made` +
        some(wrong),
      bar: `0 lost, 0 doubled${mayAllBeKnown ? '' : ', some unknown outcomes'}`,
      assessment:
        witness.asked > 0 || mayAllBeKnown ? neverMoreThan(0, wrong.length) : ('failed' as const),
    },
    {
      promise: 'Each payment is credited once',
      seen: `${audit.uncredited.length} wrong, ${audit.completed} completed${some(audit.uncredited)}`,
      bar: '0 wrong, some completed',
      assessment: audit.completed > 0 ? neverMoreThan(0, audit.uncredited.length) : 'failed',
    },
    ...(witness.webhooks.size === 0
      ? []
      : [
          {
            promise: 'Each webhook is answered in the end and recorded once',
            seen: `${audit.webhooks.length} missing of ${witness.webhooks.size}${some(audit.webhooks)}`,
            bar: '0 missing',
            assessment: neverMoreThan(0, audit.webhooks.length),
          },
        ]),
    {
      promise: 'The books agree',
      seen: `${audit.broken.length} breaches over ${audit.purchases} purchases${some(audit.broken)}`,
      bar: '0 breaches, every check made',
      assessment: neverMoreThan(0, audit.broken.length),
    },
    {
      promise: 'Each mail is handed over and recorded; twice only where the answer was lost',
      seen:
        `${audit.mails.missing.length} missing of ${audit.mails.total}, ${audit.mails.repeated} ` +
        `handed over again${some(audit.mails.missing)}`,
      bar: `0 missing, at most ${repeatsMax} repeated`,
      assessment: neverMoreThan(
        0,
        audit.mails.missing.length + Math.max(0, audit.mails.repeated - repeatsMax),
      ),
    },
  ]
}

/** A mail that could not be sent is tried again after five seconds. */
const NO_MORE_AFTER_MS = 7_000
const MAILED_WITHIN_MS = 180_000

/** Waits until every payment is settled and no further mail comes. */
export async function untilMailed(ground: Ground, buyers: Buyers): Promise<void> {
  if (ground.gateway === null) {
    await buyers.payOne()
    await buyers.mine()
  }
  const giveUpAt = performance.now() + MAILED_WITHIN_MS
  if (ground.postgres !== null) {
    const open = await ground.open()
    while ((await countUnfinished(open.database)) > 0 && performance.now() < giveUpAt) {
      await pause(100)
    }
    await open.close()
    return
  }
  // The embedded database belongs to its server, so only what comes out of it is visible.
  let count = -1
  let sinceMs = 0
  do {
    if (ground.smtp.taken.length !== count) {
      count = ground.smtp.taken.length
      sinceMs = performance.now()
    }
    await pause(100)
  } while (performance.now() - sinceMs < NO_MORE_AFTER_MS && performance.now() < giveUpAt)
}

/** Waits until all is settled, ends the servers and compares; says which had ended before. */
export async function endAndAudit(
  ground: Ground,
  buyers: Buyers,
  servers: readonly RunningServer[],
): Promise<{ audit: Audit; endedBefore: readonly RunningServer[] }> {
  await untilMailed(ground, buyers)
  const endedBefore = servers.filter(hasEnded)
  for (const server of servers) server.process.kill('SIGTERM')
  await Promise.all(servers.map((server) => server.ended))
  return { audit: await auditGround(ground, buyers), endedBefore }
}

export async function auditGround(ground: Ground, { witness }: Buyers): Promise<Audit> {
  const open = await ground.open()
  const audit = await auditAll(open.database, witness, ground.smtp.taken)
  await open.close()
  return audit
}

/** Mails to be sent, payments to be confirmed and purchases to be settled. */
export async function countUnfinished(database: Database): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select
      (select count(*) from outbox_mails where sent_at is null and dropped_at is null) +
      (select count(*) from purchases where status = 'processing') +
      (select count(*) from settlements_due) as count`.execute(database)
  return Number(rows[0]?.count ?? 0)
}

const SELLS_AGAIN_MAX_MS = 60_000

/** How long it takes until another purchase is made; infinite if none is. */
export async function untilSelling(witness: Pick<Witness, 'made'>): Promise<number> {
  const startedAt = performance.now()
  const before = witness.made.size
  while (witness.made.size === before) {
    if (performance.now() - startedAt > SELLS_AGAIN_MAX_MS) return Infinity
    await pause(5)
  }
  return performance.now() - startedAt
}
