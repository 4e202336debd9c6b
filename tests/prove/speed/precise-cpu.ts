import { readdirSync, readFileSync } from 'node:fs'

/** What each thread of a process and of all below it has used, in microseconds. */
type Used = ReadonlyMap<string, number>

/**
 * Counts the CPU that these processes and all below them use from now on. To the nanosecond, where
 * `/proc/[pid]/stat` counts ticks of 10 ms, so that a few calls are enough to tell what one costs.
 * @returns A function that gives the microseconds so far. What has ended by then is left out.
 */
export function countPrecisely(pids: readonly number[]): () => number {
  const before = readUse(pids)
  return () => {
    let us = 0
    for (const [thread, used] of readUse(pids)) us += used - (before.get(thread) ?? 0)
    return us
  }
}

function readUse(pids: readonly number[]): Used {
  const used = new Map<string, number>()
  const read = (pid: number) => {
    for (const thread of listOf(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`
      const [ns] = textOf(`${folder}/schedstat`).split(' ')
      used.set(thread, Number(ns ?? 0) / 1_000)
      for (const child of textOf(`${folder}/children`).split(' ')) {
        if (child !== '') read(Number(child))
      }
    }
  }
  for (const pid of pids) read(pid)
  return used
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // It ended between the look at its parent and this one.
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    return ''
  }
}
