import { bySize, type Finding, assess, type Proof, type ProofScope } from '../proof.ts'
import { median } from '../quantile.ts'
import { type BuyersRound, type HotStage, openHotStage, type PgbenchRound } from './hot-stage.ts'
import { findPgbench } from './pgbench.ts'

/** Purchases a second, of those that pgbench makes one by one with as many clients. */
const RATIO_MIN = new Map([
  [1, 0.7],
  [4, 1],
  [16, 2.5],
  [64, 8],
  [256, 15],
])
const CROWD = 64
const CPU_US_MAX = 220
/** Of what pgbench makes by statements of many purchases. */
const OF_MANY_MIN = 0.7
/** One prepares its statement while the other's is written to disk. */
const MANY_CLIENTS = 2
const P99_MS_MAX = 25
/** So many that nobody who comes waits for a connection. */
const PACED_CONNECTIONS = 256
const AFTER_CHECKPOINT_SECONDS = 3
/** Of the purchases without paying and mailing beside them. */
const WHILE_PAID_MIN = 0.5

type Pair = { buyers: number; ours: BuyersRound; theirs: PgbenchRound | null }

/**
 * How many purchases a second the server makes, through HTTP, on one hot stage, beside pgbench
 * leaving the same rows in the same database in turns. Figures of time belong to a machine and a
 * moment; the ratio and the CPU say how good they are. Rounds in which others used the machine are
 * shown and assess nothing.
 */
export const purchases: Proof = {
  name: 'purchases',
  title: 'Purchases on one hot stage, beside pgbench',
  kind: 'speed',
  async run(scope) {
    scope.say('  Starting PostgreSQL with full durability, and the server …')
    const besidePgbench = await onStage((stage) => runRounds(scope, stage))
    // What hundreds of thousands of rows leave to be done, checks of the books and vacuuming, takes
    // minutes, and would be counted as a part of these rounds.
    scope.say('  And once more, for rounds that follow no rush …')
    return [...besidePgbench, ...(await onStage((stage) => runCalmRounds(scope, stage)))]
  },
}

async function onStage(run: (stage: HotStage) => Promise<Finding[]>): Promise<Finding[]> {
  const stage = await openHotStage()
  try {
    return await run(stage)
  } finally {
    await stage.close()
  }
}

async function runRounds(scope: ProofScope, stage: HotStage): Promise<Finding[]> {
  const rounds = bySize(scope, { short: 1, whole: 3, long: 5 })
  const ordinary = bySize(scope, { short: 2, whole: 5, long: 10 })
  const pgbench = findPgbench()
  await stage.buy({ buyers: 16, seconds: ordinary * 2, perSecond: null })
  const pairs: Pair[] = []
  const manies: PgbenchRound[] = []
  for (let round = 1; round <= rounds; round += 1) {
    for (const buyers of RATIO_MIN.keys()) {
      const seconds = buyers > CROWD ? 2 * ordinary : ordinary
      const ours = await stage.buy({ buyers, seconds, perSecond: null })
      const asked = { way: 'one by one', clients: buyers, seconds } as const
      const theirs = pgbench === null ? null : await stage.pgbench(pgbench, asked)
      pairs.push({ buyers, ours, theirs })
      scope.say(`  ${lineOf({ buyers, ours, theirs })}`)
    }
    if (pgbench === null) continue
    const asked = { way: 'many in a statement', clients: MANY_CLIENTS, seconds: ordinary } as const
    manies.push(await stage.pgbench(pgbench, asked))
  }
  return [
    ...[...RATIO_MIN].map(([buyers, least]) => ratioFinding(pairs, buyers, least)),
    boundFinding(pairs, manies),
    cpuFinding(pairs),
  ]
}

async function runCalmRounds(scope: ProofScope, stage: HotStage): Promise<Finding[]> {
  const seconds = bySize(scope, { short: 2, whole: 5, long: 10 })
  await stage.buy({ buyers: 16, seconds: seconds * 2, perSecond: null })
  const crowd = await stage.buy({ buyers: CROWD, seconds, perSecond: null })
  return [await pacedFinding(scope, stage, crowd), await paidFinding(scope, stage, crowd)]
}

function ratioFinding(pairs: readonly Pair[], buyers: number, least: number): Finding {
  const { chosen, wasQuiet } = quietOnes(pairs.filter((pair) => pair.buyers === buyers))
  const ours = median(chosen.map((pair) => perSecond(pair.ours)))
  const p50 = median(chosen.map((pair) => pair.ours.latenciesMs.p50))
  const p99 = median(chosen.map((pair) => pair.ours.latenciesMs.p99))
  const seen = `${ours.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  const promise = `Purchases of ${buyers} ${buyers === 1 ? 'buyer' : 'buyers at once'} against pgbench one by one`
  const bar = `at least ${least} times`
  const compared = chosen.flatMap(({ ours: own, theirs }) =>
    theirs?.perSecond ? [{ own, theirs }] : [],
  )
  if (compared.length === 0) return withoutPgbench(promise, seen, bar)
  const ratio = median(compared.map(({ own, theirs }) => perSecond(own) / theirs.perSecond))
  const theirs = median(compared.map((pair) => pair.theirs.perSecond))
  return {
    promise,
    seen: `${ratio.toFixed(2)} times: ${seen}; pgbench ${theirs.toFixed(0)}/s`,
    bar,
    assessment: assess(ratio >= least, wasQuiet),
  }
}

function boundFinding(pairs: readonly Pair[], manies: readonly PgbenchRound[]): Finding {
  const promise = `Purchases of ${CROWD} buyers against ${CROWD} in a statement by pgbench`
  const bar = `at least ${OF_MANY_MIN} of it`
  const ours = quietOnes(crowdOf(pairs))
  const bound = quietOnes(manies.map((theirs) => ({ ours: null, theirs })))
  const own = median(ours.chosen.map((pair) => perSecond(pair.ours)))
  if (manies.length === 0) return withoutPgbench(promise, `${own.toFixed(0)}/s`, bar)
  const most = median(bound.chosen.map(({ theirs }) => theirs.perSecond))
  return {
    promise,
    seen: `${(own / most).toFixed(2)}: ${own.toFixed(0)} of ${most.toFixed(0)}/s`,
    bar,
    assessment: assess(own / most >= OF_MANY_MIN, ours.wasQuiet && bound.wasQuiet),
  }
}

function cpuFinding(pairs: readonly Pair[]): Finding {
  const { chosen, wasQuiet } = quietOnes(crowdOf(pairs))
  const server = median(chosen.map(({ ours }) => ours.serverUs / ours.purchases))
  const postgres = median(chosen.map(({ ours }) => ours.postgresUs / ours.purchases))
  const each = [...RATIO_MIN.keys()].map((buyers) => {
    const { ours } = quietOnes(pairs.filter((pair) => pair.buyers === buyers)).chosen[0] as Pair
    return `${buyers}: ${cpuText(ours)}`
  })
  return {
    promise: `CPU of a purchase with ${CROWD} buyers, server and PostgreSQL together`,
    seen: `${(server + postgres).toFixed(0)} µs: ${server.toFixed(0)} + ${postgres.toFixed(0)} (by buyers ${each.join(', ')})`,
    bar: `at most ${CPU_US_MAX} µs`,
    assessment: assess(server + postgres <= CPU_US_MAX, wasQuiet),
  }
}

async function pacedFinding(
  scope: ProofScope,
  stage: HotStage,
  crowd: BuyersRound,
): Promise<Finding> {
  const pace = { buyers: PACED_CONNECTIONS, perSecond: perSecond(crowd) / 2 }
  await stage.reuseLog()
  // After a checkpoint the first change of a page writes the whole page into the log. There is one
  // every five minutes, so these seconds are shown, but are not among those that are judged.
  const first = await stage.buy({ ...pace, seconds: AFTER_CHECKPOINT_SECONDS })
  const seconds = bySize(scope, { short: 3, whole: 15, long: 60 })
  const ours = await stage.buy({ ...pace, seconds })
  const { p50, p99 } = ours.latenciesMs
  return {
    promise: 'A purchase while buyers come at half of what the server can take',
    seen:
      `p99 ${p99.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms at ${perSecond(ours).toFixed(0)}/s; ` +
      `p99 ${first.latenciesMs.p99.toFixed(1)} ms in the ${AFTER_CHECKPOINT_SECONDS} s after a checkpoint`,
    bar: `p99 under ${P99_MS_MAX} ms`,
    assessment: assess(p99 < P99_MS_MAX, crowd.wasQuiet && ours.wasQuiet),
  }
}

async function paidFinding(
  scope: ProofScope,
  stage: HotStage,
  crowd: BuyersRound,
): Promise<Finding> {
  const seconds = bySize(scope, { short: 4, whole: 20, long: 60 })
  const ours = await stage.buyAndPay({ buyers: CROWD, seconds, perSecond: null })
  const share = perSecond(ours) / perSecond(crowd)
  const paid = `${ours.completed} paid and settled, ${ours.mailsSent} mails sent, ${ours.askedToRetry} told to try again meanwhile`
  return {
    promise: `Purchases of ${CROWD} buyers while purchases are paid, settled and mailed about`,
    seen: `${share.toFixed(2)}: ${perSecond(ours).toFixed(0)}/s, ${cpuText(ours)} µs; ${paid}`,
    bar: `at least ${WHILE_PAID_MIN} of those without`,
    assessment:
      ours.completed === 0 || ours.mailsSent === 0
        ? 'failed'
        : assess(share >= WHILE_PAID_MIN, ours.wasQuiet && crowd.wasQuiet),
  }
}

const crowdOf = (pairs: readonly Pair[]) => pairs.filter(({ buyers }) => buyers === CROWD)
const perSecond = ({ purchases: made, seconds }: BuyersRound) => made / seconds

/** The rounds that nobody else disturbed; all of them, to be shown, where there is none. */
function quietOnes<One extends Pick<Pair, 'theirs'> & { ours: BuyersRound | null }>(
  rounds: readonly One[],
): { chosen: readonly One[]; wasQuiet: boolean } {
  const quiet = rounds.filter(
    ({ ours, theirs }) => (ours?.wasQuiet ?? true) && (theirs?.wasQuiet ?? true),
  )
  return quiet.length > 0 ? { chosen: quiet, wasQuiet: true } : { chosen: rounds, wasQuiet: false }
}

function withoutPgbench(promise: string, seen: string, bar: string): Finding {
  const why = 'nothing of pgbench (Debian: postgresql-client) to stand beside'
  return { promise, seen: `${seen}; ${why}`, bar, assessment: 'not judged' }
}

function lineOf({ buyers, ours, theirs }: Pair): string {
  const own = `${perSecond(ours).toFixed(0)}/s, ${cpuText(ours)} µs`
  const other = theirs === null ? '' : `; pgbench ${theirs.perSecond.toFixed(0)}/s`
  const others = Math.max(ours.othersShare, theirs?.othersShare ?? 0)
  return `${buyers} buyers: ${own}${other}; others used ${(others * 100).toFixed(0)} %`
}

function cpuText({ serverUs, postgresUs, purchases: made }: BuyersRound): string {
  return `${(serverUs / made).toFixed(0)} + ${(postgresUs / made).toFixed(0)}`
}
