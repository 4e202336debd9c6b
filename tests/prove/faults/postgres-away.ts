import { dice } from '#tests/kit/builders/shuffled.ts'
import { runOnServer } from '#tests/kit/servers/postgres-databases.ts'
import {
  bySize,
  type Finding,
  assess,
  neverMoreThan,
  type Proof,
  type ProofScope,
} from '../proof.ts'
import { startCounting } from '../machine.ts'
import { createBuyers, pause } from './buyers.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import { auditFindings, endAndAudit, untilSelling } from './findings.ts'
import { type Ground, preloads, prepareGround, type RunningServer } from './ground.ts'

const BUYERS = 100
const SELLING_WITHIN_MS = 5_000
const BETWEEN_MAX_MS = 800

type Trouble = {
  name: string
  title: string
  /** What happens, in a few words. */
  what: string
  times: Parameters<typeof bySize<number>>[1]
  /** Makes the trouble once, and says how often it really happened. */
  make(site: TroubledSite): Promise<number>
}

type TroubledSite = {
  ground: Ground
  proxy: CuttingProxy
  roll: (sides: number) => number
}

const CUT_AT = [/create_purchases\(/i, /^\s*commit/i, /^update "outbox_mails" set "sent_at"/i]
const CUT_WITHIN_MS = 10_000

const troubles: readonly Trouble[] = [
  {
    name: 'postgres-killed',
    title: 'PostgreSQL killed with SIGKILL under load, and recovering',
    what: 'kills of PostgreSQL',
    times: { short: 1, whole: 5, long: 25 },
    make: async ({ ground }) => {
      await ground.postgres?.crash()
      return 1
    },
  },
  {
    name: 'postgres-cut',
    title: 'Connections to PostgreSQL cut inside COMMIT under load',
    what: 'connections cut at a COMMIT, a booking or a mail being marked',
    times: { short: 12, whole: 100, long: 500 },
    make: cutOnce,
  },
  {
    name: 'postgres-terminated',
    title: 'All connections to PostgreSQL ended under load',
    what: 'times all connections were ended',
    times: { short: 5, whole: 20, long: 100 },
    make: async ({ ground }) => {
      const { rows } = await runOnServer(
        ground.postgres?.url ?? '',
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'token-presale%'`,
      )
      return rows.length > 0 ? 1 : 0
    },
  },
]

export const postgresAway: readonly Proof[] = troubles.map((trouble) => ({
  name: trouble.name,
  title: trouble.title,
  kind: 'faults',
  run: (scope) => proveTrouble(scope, trouble),
}))

/** The next fitting statement loses its connection, before or after it is done. */
async function cutOnce({ proxy, roll }: TroubledSite): Promise<number> {
  const before = proxy.cuts.before + proxy.cuts.after
  const cut = roll(3) === 0 ? 'before' : 'after'
  const cutAt = CUT_AT[before % CUT_AT.length]
  let skipped = roll(5)
  proxy.decide = (statement) => {
    if (cutAt?.test(statement) !== true || skipped-- > 0) return null
    proxy.decide = null
    return cut
  }
  const giveUpAt = performance.now() + CUT_WITHIN_MS
  const happened = () => proxy.cuts.before + proxy.cuts.after - before
  while (happened() === 0 && performance.now() < giveUpAt) await pause(5)
  return happened()
}

async function proveTrouble(scope: ProofScope, trouble: Trouble): Promise<Finding[]> {
  const times = bySize(scope, trouble.times)
  // With all its protection against power cuts: what it acknowledged has to be there after a kill.
  const ground = await prepareGround({
    database: 'postgres',
    users: BUYERS,
    settings: { max_connections: '100' },
  })
  const proxy = await startCuttingProxy(ground.postgres?.url ?? '')
  const counting = startCounting()
  try {
    const servers: RunningServer[] = []
    for (let nth = 0; nth < 2; nth += 1) {
      const server = await ground.start({
        DATABASE_URL: proxy.url,
        ...preloads('hurry-mails.ts'),
      })
      await server.opened
      servers.push(server)
    }
    const buyers = createBuyers({
      ground,
      seed: scope.seed,
      addressFor: (index) => servers[index % servers.length]?.address ?? '',
    })
    const { witness } = buyers
    const roll = dice(scope.seed)
    const load = buyers.begin('all the time')
    await load.firstMade
    let happened = 0
    const awayMs: number[] = []
    for (let time = 0; time < times; time += 1) {
      await pause(roll(BETWEEN_MAX_MS))
      happened += await trouble.make({ ground, proxy, roll })
      awayMs.push(await untilSelling(witness))
    }
    await load.stop()
    const refusedByTrouble = witness.refused
    await buyers.askUntilAnswered()
    const { audit, endedBefore } = await endAndAudit(ground, buyers, servers)
    const ended = endedBefore.map((server) => server.err().slice(-300))
    const slowest = Math.max(...awayMs)
    const { before, after } = proxy.cuts
    // Both servers continue, so neither may leave a caller without a reply.
    const others = [...witness.wrong, ...witness.lost.map(({ fault }) => fault)]
    return [
      {
        promise: 'The fault happened',
        seen:
          `${happened} of ${times} ${trouble.what}` +
          (before + after > 0 ? `, ${after} of them with the statement done` : ''),
        bar: 'every time',
        assessment: happened === times ? 'held' : 'failed',
      },
      {
        promise: 'Callers are asked to try again and see no other fault, and no server ends',
        seen:
          `${witness.made.size} purchases made, ${refusedByTrouble} times 503 with Retry-After, ` +
          `${others.length} other answers, ${ended.length} servers ended` +
          [...others, ...ended]
            .slice(0, 2)
            .map((each) => `: ${each} (seed ${scope.seed})`)
            .join(''),
        bar: 'some 503, 0 other answers, 0 servers ended',
        assessment:
          refusedByTrouble > 0 ? neverMoreThan(0, others.length + ended.length) : 'failed',
      },
      ...auditFindings(scope, audit, witness, { repeatsMax: happened * servers.length }),
      {
        promise: 'It sells again within 5 s',
        seen: `slowest ${(slowest / 1000).toFixed(1)} s`,
        bar: 'at most 5 s',
        assessment: assess(slowest <= SELLING_WITHIN_MS, counting().wasQuiet),
      },
    ]
  } finally {
    await ground.close()
    await proxy.close()
  }
}
