/**
 * What argon2 alone can do: verifies one password against its hash, two at a time as the server
 * does, in a process of its own. Started by `startHashing`; prints how often, in one line.
 */
import { verify } from '@node-rs/argon2'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const AT_ONCE = 2

export type HashingTask = { hash: string; password: string; seconds: number }

export function startHashing(task: HashingTask): { pid: number; count: Promise<number> } {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const count = (async () => {
    for await (const line of createInterface(child.stdout)) return Number(line)
    throw new Error('The hashing ended early. Its output is above')
  })()
  return { pid: child.pid ?? 0, count }
}

if (import.meta.main) {
  const { hash, password, seconds } = JSON.parse(process.argv[2] ?? '{}') as HashingTask
  let count = 0
  const endsAt = performance.now() + seconds * 1_000
  const work = async () => {
    for (; performance.now() < endsAt; count += 1) await verify(hash, password)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  process.stdout.write(`${count}\n`)
}
