import { spawn } from 'node:child_process'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Runs a module in a process of its own, where it does its work by {@link workApart}. */
export function runApart<Report>(
  module: string,
  task: object,
): { pid: number; report: Promise<Report> } {
  const child = spawn(process.execPath, [fileURLToPath(module)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(task))
  const report = text(child.stdout).then((printed) => {
    if (printed === '') throw new Error(`${module} ended early. Its output is above`)
    return JSON.parse(printed) as Report
  })
  return { pid: child.pid ?? 0, report }
}

export async function workApart<Task>(work: (task: Task) => Promise<unknown>): Promise<void> {
  const task = (await json(process.stdin)) as Task
  process.stdout.write(JSON.stringify(await work(task)))
}
