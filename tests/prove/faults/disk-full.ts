import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
import { auditFindings, endAndAudit, firstOf, untilSelling } from './findings.ts'
import { preloads, prepareGround } from './ground.ts'
import type { Witness } from './witness.ts'

const BUYERS = 50
const DISK_MIB = { embedded: 160, postgres: 64 } as const
const FELT_WITHIN_MS = 60_000
const STAYS_FULL_MS = 2_000
const SELLING_WITHIN_MS = 5_000
const BLOCK_BYTES = 65_536

export const diskFull: Proof = {
  name: 'disk-full',
  title: 'A disk that is full, and then is not',
  kind: 'faults',
  run: async (scope) => [
    ...(await proveFull(scope, 'embedded')),
    ...(await proveFull(scope, 'postgres')),
  ],
}

async function proveFull(scope: ProofScope, database: 'embedded' | 'postgres'): Promise<Finding[]> {
  const times = bySize(scope, { short: 1, whole: 3, long: 10 })
  const on = database === 'embedded' ? 'the embedded database' : 'the tables of PostgreSQL'
  const disk = mkdtempSync(join(tmpdir(), 'presale-disk-'))
  try {
    const size = `size=${DISK_MIB[database]}m,mode=777`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    rmSync(disk, { recursive: true })
    return [
      {
        promise: `A full disk under ${on} loses nothing`,
        seen: 'a small disk cannot be made here',
        bar: 'the right to mount a tmpfs',
        assessment: 'not judged',
      },
    ]
  }
  const ground = await prepareGround({
    database,
    users: BUYERS,
    ...(database === 'embedded' ? { dataFolder: join(disk, 'data') } : { tablespace: disk }),
  })
  const counting = startCounting()
  try {
    const server = await ground.start(preloads('hurry-mails.ts'))
    await server.opened
    const buyers = createBuyers({
      ground,
      seed: scope.seed,
      addressFor: () => server.address,
      thinkMs: 300,
    })
    const { witness } = buyers
    const load = buyers.begin('all the time')
    await load.firstMade
    const seen = { felt: 0, reads: 0, unread: [] as string[], againMs: [] as number[] }
    for (let time = 0; time < times; time += 1) {
      const ballast = fill(disk)
      if (await untilRefused(witness)) seen.felt += 1
      const until = performance.now() + STAYS_FULL_MS
      while (performance.now() < until) {
        for (const path of ['/stages/active', '/prices', `/users/${ground.users[0]?.id}`]) {
          const accessToken = ground.users[0]?.as.accessToken ?? ''
          const answer = await ground.caller.call(server.address, 'GET', path, { accessToken })
          seen.reads += 1
          if (answer.status !== 200) seen.unread.push(`${path}: ${answer.status}`)
        }
        await pause(100)
      }
      unlinkSync(ballast)
      seen.againMs.push(await untilSelling(witness))
    }
    await load.stop()
    await buyers.askUntilAnswered()
    const { audit, endedBefore } = await endAndAudit(ground, buyers, [server])
    const isDead = endedBefore.length > 0
    const slowest = Math.max(...seen.againMs)
    const answers = [...witness.wrong, ...witness.lost.map(({ fault }) => fault)]
    return [
      {
        promise: `The disk of ${on} was full, and purchases were refused with a time to try again`,
        seen:
          `${seen.felt} of ${times} times, ${witness.refused} refused, ${answers.length} other ` +
          `answers${firstOf(scope, answers)}${isDead ? ', the server ended' : ''}`,
        bar: 'every time, 0 other answers, the server goes on',
        assessment:
          seen.felt === times && !isDead ? neverMoreThan(0, answers.length) : ('failed' as const),
      },
      {
        promise: 'Reads go on',
        seen: `${seen.unread.length} of ${seen.reads} failed${firstOf(scope, seen.unread)}`,
        bar: '0 failed',
        assessment: seen.reads > 0 ? neverMoreThan(0, seen.unread.length) : 'failed',
      },
      ...auditFindings(scope, audit, witness, { repeatsMax: times, mayAllBeKnown: true }),
      {
        promise: 'It sells again within 5 s of there being room',
        seen: `slowest ${(slowest / 1000).toFixed(1)} s`,
        bar: 'at most 5 s',
        assessment:
          slowest === Infinity
            ? 'failed'
            : assess(slowest <= SELLING_WITHIN_MS, counting().wasQuiet),
      },
    ]
  } finally {
    await ground.close()
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true, force: true })
  }
}

/** Fills the disk. */
function fill(disk: string): string {
  const path = join(disk, 'ballast')
  const file = openSync(path, 'w')
  for (let bytes = BLOCK_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes))
    } catch (fault) {
      if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC')) throw fault
    }
  }
  closeSync(file)
  chmodSync(path, 0o600)
  return path
}

async function untilRefused(witness: Witness): Promise<boolean> {
  const before = witness.refused + witness.wrong.length
  const giveUpAt = performance.now() + FELT_WITHIN_MS
  while (witness.refused + witness.wrong.length === before && performance.now() < giveUpAt) {
    await pause(5)
  }
  return witness.refused + witness.wrong.length > before
}
