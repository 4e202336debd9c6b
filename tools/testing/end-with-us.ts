import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Kills a process with this one, if it still runs: a run that is cut off leaves none behind. */
export function endWithUs(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}
