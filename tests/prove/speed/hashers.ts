/**
 * What argon2 alone can do: verifies one password against its hash, two at a time as the server
 * does, in a process of its own, and counts how often.
 */
import { verify } from '@node-rs/argon2'

import { runApart, workApart } from './run-apart.ts'

const AT_ONCE = 2

export type HashingTask = { hash: string; password: string; seconds: number }

export function startHashing(task: HashingTask): { pid: number; report: Promise<number> } {
  return runApart(import.meta.url, task)
}

if (import.meta.main) await workApart(countHashes)

async function countHashes({ hash, password, seconds }: HashingTask): Promise<number> {
  let count = 0
  const endsAt = performance.now() + seconds * 1_000
  const work = async () => {
    for (; performance.now() < endsAt; count += 1) await verify(hash, password)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return count
}
