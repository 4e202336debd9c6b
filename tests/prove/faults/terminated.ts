import { dice } from '#tests/kit/builders/shuffled.ts'
import { unsafeButFast } from '#tools/testing/start-postgres.ts'
import { bySize, type Finding, neverMoreThan, type Proof, type ProofScope } from '../proof.ts'
import { createBuyers, pause } from './buyers.ts'
import { auditFindings, endAndAudit, firstOf } from './findings.ts'
import { preloads, prepareGround, type RunningServer } from './ground.ts'

const BUYERS = 200
const LOAD_MAX_MS = 800
/** What a service manager waits before it kills. */
const CLOSED_WITHIN_MS = 10_000
/**
 * A call that is sent while the server closes its idle connections may meet a closed one, as with
 * any server. What was sent before the signal is answered.
 */
const UNDER_WAY = 'sent before the signal'

export const terminated: Proof = {
  name: 'terminated',
  title: 'SIGTERM under load',
  kind: 'faults',
  run: async (scope) => [
    ...(await proveTerminated(scope, 'embedded')),
    ...(await proveTerminated(scope, 'postgres')),
  ],
}

async function proveTerminated(
  scope: ProofScope,
  database: 'embedded' | 'postgres',
): Promise<Finding[]> {
  const times = bySize(scope, { short: 1, whole: 8, long: 40 })
  const ground = await prepareGround({ database, users: BUYERS, settings: unsafeButFast })
  const roll = dice(scope.seed)
  const current: { server: RunningServer | null } = { server: null }
  const buyers = createBuyers({
    ground,
    seed: scope.seed,
    addressFor: () => current.server?.address ?? 'http://127.0.0.1:9',
    thinkMs: 400,
    doServersClose: true,
  })
  const { witness } = buyers
  const start = async () => {
    const server = await ground.start(preloads('hurry-mails.ts'))
    current.server = server
    await server.opened
    return server
  }
  const seen = { underWay: 0, broken: [] as string[], late: [] as string[], slowestMs: 0 }
  try {
    for (let time = 1; time <= times; time += 1) {
      const server = await start()
      await buyers.askAgain(`time ${time}`)
      const load = buyers.begin(`time ${time}`)
      await load.firstMade
      await pause(roll(LOAD_MAX_MS))
      const waiting = [...witness.unanswered.keys()]
      const lostBefore = witness.lost.length
      const at = performance.now()
      server.process.kill('SIGTERM')
      const code = await server.ended
      const tookMs = performance.now() - at
      await load.stop()
      seen.underWay += waiting.length
      seen.slowestMs = Math.max(seen.slowestMs, tookMs)
      if (code !== 0 || tookMs > CLOSED_WITHIN_MS) {
        seen.late.push(
          `it ended with ${code} after ${Math.round(tookMs)} ms: ${server.err().slice(-200)}`,
        )
      }
      seen.broken.push(
        ...witness.lost
          .slice(lostBefore)
          .filter((lost) => lost.askedAt < at)
          .map((lost) => `${lost.fault} after ${Math.round(lost.at - lost.askedAt)} ms`),
      )
    }
    const server = await start()
    await buyers.askUntilAnswered()
    const { audit } = await endAndAudit(ground, buyers, [server])
    const on = database === 'embedded' ? 'the embedded database' : 'PostgreSQL'
    return [
      {
        promise: `On ${on}, a server that is asked to end does so in time, with code 0`,
        seen: `${seen.late.length} of ${times} otherwise, slowest ${(seen.slowestMs / 1000).toFixed(1)} s${firstOf(scope, seen.late)}`,
        bar: `0 otherwise, within ${CLOSED_WITHIN_MS / 1000} s`,
        assessment: neverMoreThan(0, seen.late.length),
      },
      {
        promise: `What was ${UNDER_WAY} is answered`,
        seen:
          `${seen.broken.length} of ${seen.underWay} not answered${firstOf(scope, seen.broken)}; ` +
          `${witness.refused} times 502 or 503 with Retry-After, ${witness.wrong.length} other answers${firstOf(scope, witness.wrong)}`,
        bar: '0 not answered of some, 0 other answers',
        assessment:
          seen.underWay > 0
            ? neverMoreThan(0, seen.broken.length + witness.wrong.length)
            : 'failed',
      },
      ...auditFindings(scope, audit, witness, { repeatsMax: 0, mayAllBeKnown: true }),
    ]
  } finally {
    await ground.close()
  }
}
