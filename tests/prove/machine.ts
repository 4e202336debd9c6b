import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'

/** Linux counts CPU in ticks of 10 ms, whatever the machine. */
const US_PER_TICK = 10_000

/** Beyond this share of the machine, timings say more about others' work than about ours. */
const OTHERS_MAX = 0.1

/** What the report says about the machine on which it was made. */
export function describeMachine(): string {
  const gib = (totalmem() / 2 ** 30).toFixed(0)
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `${availableParallelism()} cores (${model}), ${gib} GiB, Linux ${release()}, Node ${process.versions.node}`
}

export function describeLoad(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')
}

type Processes = ReadonlyMap<number, { parent: number; us: number }>

/**
 * Starts to count CPU. `used` is what the trees of processes of these ids have used since, in
 * microseconds each; `wasQuiet` says whether all that is not under this process and not named in
 * `ours` (a PostgreSQL, which has no parent of ours) used so little that a figure of time counts.
 *
 * What a process has used passes to its parent when it ends, so that the sum over a tree counts
 * those too that came or went meanwhile.
 */
export function startCounting(ours: readonly number[] = []) {
  const first = readProcesses()
  const machineFirst = readMachine()
  return () => {
    const last = readProcesses()
    const machine = readMachine()
    const used = (root: number): number => sumOf(root, last) - sumOf(root, first)
    const own = [process.pid, ...ours].reduce((sum, root) => sum + used(root), 0)
    const busy = machine.busyUs - machineFirst.busyUs
    const all = machine.allUs - machineFirst.allUs
    const othersShare = all === 0 ? 0 : Math.max(0, (busy - own) / all)
    return { used, othersShare, wasQuiet: othersShare <= OTHERS_MAX }
  }
}

function sumOf(root: number, processes: Processes): number {
  return treeOf(root, processes).reduce((sum, pid) => sum + (processes.get(pid)?.us ?? 0), 0)
}

/** A process and all below it. */
function treeOf(root: number, processes: Processes): number[] {
  const children = [...processes].filter(([, { parent }]) => parent === root).map(([pid]) => pid)
  return [root, ...children.flatMap((pid) => treeOf(pid, processes))]
}

/** proc(5), /proc/[pid]/stat: utime and stime with those of children that have ended. */
function readProcesses(): Processes {
  const processes = new Map<number, { parent: number; us: number }>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = readStat(`/proc/${entry}/stat`)
    if (stat === null) continue
    // The name in brackets may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    processes.set(Number(entry), { parent: Number(fields[1]), us: ticks * US_PER_TICK })
  }
  return processes
}

function readStat(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It ended between the listing and the look.
    return null
  }
}

/** proc(5), the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function readMachine(): { busyUs: number; allUs: number } {
  const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0, stolen = 0] =
    line.trim().split(/\s+/).slice(1).map(Number)
  const busy = user + nice + system + irq + soft + stolen
  return { busyUs: busy * US_PER_TICK, allUs: (busy + idle + waiting) * US_PER_TICK }
}
