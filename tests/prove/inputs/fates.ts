import { Worker } from 'node:worker_threads'

import { bySize, type Finding, neverMoreThan, type Proof } from '../proof.ts'
import { playOverHttp } from './fates/play-over-http.ts'
import type { SequencesDone, SequencesNews, SequencesTask } from './fates/play-sequences.ts'

const THREADS = 2
/** The rest are of one purchase each. */
const SALES_SHARE = 0.02

/** Random events that decide about payments: with only the rules, and through HTTP. */
export const fates: Proof = {
  name: 'fates',
  title: 'Payments in random sequences of events',
  kind: 'inputs',
  async run(scope) {
    const ofRules = bySize(scope, { short: 20_000, whole: 1_000_000, long: 10_000_000 })
    const overHttp = bySize(scope, { short: 60, whole: 10_000, long: 100_000 })
    const alone = await playOnThreads(ofRules, scope.seed)
    scope.say(`  the rules alone: ${listed(alone.ended)}`)
    const http = await playOverHttp({
      count: overHttp,
      seed: scope.seed,
      waitsForExpiry: scope.size !== 'short',
    })
    scope.say(`  through HTTP: ${listed(http.ended)}`)
    for (const sentence of [...alone.broken, ...http.broken].slice(0, 20))
      scope.say(`  ${sentence}`)
    return [
      finding(
        'Every invariant holds after each settlement, and any order ends as the right one',
        `${alone.broken.length} broken in ${count(alone.sequences)} sequences of ${count(alone.events)} events`,
        alone.sequences < ofRules ? 1 : alone.broken.length,
      ),
      finding(
        'Through HTTP each purchase ends as what was sent for it says, and all books agree',
        `${http.broken.length} broken in ${count(http.sequences)} sequences of ${count(http.events)} calls, ` +
          `with ${count(http.reorganisations)} reorganisations`,
        http.sequences < overHttp || http.reorganisations === 0 ? 1 : http.broken.length,
      ),
    ]
  },
}

function finding(promise: string, seen: string, broken: number): Finding {
  return { promise, seen, bar: '0', assessment: neverMoreThan(0, broken) }
}

async function playOnThreads(total: number, seed: number) {
  const all = { sequences: 0, events: 0, ended: new Map<string, number>(), broken: [] as string[] }
  const perThread = Math.ceil(total / THREADS)
  const ofSales = Math.ceil(perThread * SALES_SHARE)
  const play = (nth: number) =>
    new Promise<void>((resolve, reject) => {
      const task: SequencesTask = { seed: seed + nth, ofSales, ofPurchases: perThread - ofSales }
      const worker = new Worker(new URL('./fates/play-sequences.ts', import.meta.url), {
        workerData: task,
      })
      worker.on('message', (news: SequencesNews) => {
        if ('broken' in news) all.broken.push(news.broken)
        else add(all, news.done)
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
  await Promise.all(Array.from({ length: THREADS }, (_, nth) => play(nth)))
  return all
}

function add(all: SequencesDone, { sequences, events, ended }: SequencesDone): void {
  all.sequences += sequences
  all.events += events
  for (const [status, times] of ended) all.ended.set(status, (all.ended.get(status) ?? 0) + times)
}

const count = (value: number) => value.toLocaleString('en')

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${name} ${count(times)}`).join(', ')
}
