import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod/mini'

import { projectRoot } from '#tools/project.ts'
import { type Finding, neverMoreThan, type Proof } from '../proof.ts'

const ANSWER_WITHIN_MS = 20_000

const Audit = z.object({
  metadata: z.object({
    vulnerabilities: z.object({ moderate: z.int(), high: z.int(), critical: z.int() }),
    dependencies: z.object({ prod: z.int() }),
  }),
})

/** What is shipped, held against the registry's list of known faults, where that can be reached. */
export const dependencies: Proof = {
  name: 'dependencies',
  title: 'Known faults of what is shipped',
  kind: 'inputs',
  async run() {
    const promise = 'No package that runs in production has a known serious fault'
    const bar = '0 high, 0 critical'
    const answer = await audit()
    const parsed = z.safeParse(Audit, answer)
    if (!parsed.success) {
      const why = 'the registry’s list of known faults could not be reached'
      return [{ promise, seen: why, bar, assessment: 'not judged' } satisfies Finding]
    }
    const { vulnerabilities: found, dependencies: packages } = parsed.data.metadata
    return [
      {
        promise,
        seen:
          `${found.critical} critical, ${found.high} high, ${found.moderate} moderate ` +
          `in ${packages.prod} packages`,
        bar,
        assessment: neverMoreThan(0, found.high + found.critical),
      },
    ]
  },
}

async function audit(): Promise<unknown> {
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=0']
  const options = { cwd: projectRoot, timeout: ANSWER_WITHIN_MS, maxBuffer: 2 ** 26 }
  try {
    return JSON.parse((await promisify(execFile)('npm', words, options)).stdout)
  } catch (fault) {
    // It ends with 1 where it found something, and says what on its output all the same.
    const text = fault instanceof Error && 'stdout' in fault ? String(fault.stdout) : ''
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }
}
