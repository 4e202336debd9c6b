import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { dice } from '#tests/kit/builders/shuffled.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { startCounting } from '../machine.ts'
import {
  bySize,
  type Finding,
  assess,
  neverMoreThan,
  type Proof,
  type ProofScope,
} from '../proof.ts'
import { createBuyers, pause } from './buyers.ts'
import { auditFindings, endAndAudit, firstOf } from './findings.ts'
import { type Ground, preloads, prepareGround, type RunningServer } from './ground.ts'
import { NOTHING_DONE, readBlackBox, textOfBox } from './in-server/black-box.ts'
import type { Witness } from './witness.ts'

const BUYERS = 100
/** Longer than a mail is claimed and a transaction may be idle, which is six and three seconds. */
const STOPPED_MS = 7_000
const SELLING_WITHIN_MS = 5_000
const STOP_TRIES_MAX = 2_000

type Stopped = { stops: number; inTransaction: number; otherSoldMs: number[]; sinceMs: number }

export const stoppedInstance: Proof = {
  name: 'stopped-instance',
  title: 'An instance stopped past its leases, with another beside it',
  kind: 'faults',
  run: proveStopped,
}

async function proveStopped(scope: ProofScope): Promise<Finding[]> {
  const times = bySize(scope, { short: 1, whole: 6, long: 30 })
  const ground = await prepareGround({
    database: 'postgres',
    users: BUYERS,
    settings: unsafeButFast,
  })
  const counting = startCounting()
  try {
    const boxes = ['one.json', 'other.json'].map((name) => join(ground.folder, name))
    const servers = await Promise.all(boxes.map((box) => startWatched(ground, box)))
    await Promise.all(servers.map((server) => server.opened))
    const buyers = createBuyers({
      ground,
      seed: scope.seed,
      addressFor: (index) => servers[index % servers.length]?.address ?? '',
    })
    const { witness } = buyers
    const load = buyers.begin('all the time')
    await load.firstMade
    const roll = dice(scope.seed)
    const seen: Stopped = { stops: 0, inTransaction: 0, otherSoldMs: [], sinceMs: 0 }
    for (let time = 0; time < times; time += 1) {
      await pause(roll(1_000))
      const which = time % servers.length
      const [server, box] = [servers[which], boxes[which]]
      if (server !== undefined && box !== undefined) await stopOnce(server, box, witness, seen)
    }
    await load.stop()
    await buyers.askUntilAnswered()
    const { audit, endedBefore } = await endAndAudit(ground, buyers, servers)
    const ended = endedBefore.length
    const slowest = Math.max(...seen.otherSoldMs)
    const others = [...witness.wrong, ...witness.lost.map(({ fault }) => fault)]
    return [
      {
        promise: 'The instance was stopped, with a transaction open',
        seen: `${seen.stops} stops of ${STOPPED_MS / 1000} s, ${seen.inTransaction} inside a transaction`,
        bar: 'every stop inside a transaction',
        assessment: seen.stops === times && seen.inTransaction === times ? 'held' : 'failed',
      },
      {
        promise: 'Callers of both instances get their answer or "not now"',
        seen:
          `${witness.made.size} purchases, ${witness.refused} times 503 with Retry-After, ` +
          `${others.length} other answers, ${ended} servers ended` +
          firstOf(scope, others),
        bar: '0 other answers, 0 servers ended',
        assessment: neverMoreThan(0, others.length + ended),
      },
      ...auditFindings(scope, audit, witness, { repeatsMax: seen.stops, mayAllBeKnown: true }),
      {
        promise: 'The other instance sells within 5 s',
        seen: `slowest ${(slowest / 1000).toFixed(1)} s`,
        bar: 'at most 5 s',
        assessment: assess(slowest <= SELLING_WITHIN_MS, counting().wasQuiet),
      },
    ]
  } finally {
    await ground.close()
  }
}

async function startWatched(ground: Ground, box: string): Promise<RunningServer> {
  writeFileSync(box, textOfBox(NOTHING_DONE))
  return await ground.start({
    BLACK_BOX: box,
    ...preloads('hurry-mails.ts', 'die-at-point.ts'),
  })
}

/** Stops it inside a transaction, lets the other one sell meanwhile, and lets it go on. */
async function stopOnce(
  server: RunningServer,
  box: string,
  witness: Witness,
  seen: Stopped,
): Promise<void> {
  for (let tries = 0; tries < STOP_TRIES_MAX; tries += 1) {
    if (readBlackBox(box).transactions > 0) {
      server.process.kill('SIGSTOP')
      await pause(5)
      if (readBlackBox(box).transactions > 0) break
      server.process.kill('SIGCONT')
    }
    await pause(1)
  }
  const stoppedAt = performance.now()
  seen.stops += 1
  if (readBlackBox(box).transactions > 0) seen.inTransaction += 1
  const before = witness.made.size
  // What was on its way from the stopped one is answered already, so that two more are the other's.
  while (witness.made.size < before + 2 && performance.now() - stoppedAt < STOPPED_MS)
    await pause(5)
  seen.otherSoldMs.push(performance.now() - stoppedAt)
  await pause(STOPPED_MS - (performance.now() - stoppedAt))
  server.process.kill('SIGCONT')
}
