import { type ChildProcess, spawn } from 'node:child_process'

import { endWithUs } from '#tools/testing/end-with-us.ts'
import { findFreePort } from '#tools/testing/free-port.ts'
import { projectRoot, serverArguments } from '#tools/project.ts'

export type ServerProcess = {
  process: ChildProcess
  /** What it has written so far. */
  out(): string
  err(): string
  /** Its exit code; null if a signal killed it. */
  ended: Promise<number | null>
  /** Resolves once it prints its address; rejects when it ends before. */
  opened: Promise<void>
  /** Ends it, in good order if no other signal is given; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export type ServerProcessOptions = {
  cwd?: string
  /** A module that is loaded first, and may send messages. */
  preload?: string
}

/** Starts the server as an operator does, with only these variables, in a folder. */
export function startServerProcess(
  environment: Record<string, string>,
  { cwd = projectRoot, preload }: ServerProcessOptions = {},
): ServerProcess {
  const first = preload === undefined ? [] : ['--import', preload]
  const child = spawn(process.execPath, [...first, ...serverArguments], {
    cwd,
    env: { ...inheritedEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : (['ipc'] as const))],
  })
  endWithUs(child)
  let out = ''
  let err = ''
  let onOpen = () => {}
  child.stdout?.on('data', (text: Buffer) => {
    out += text.toString()
    if (out.includes('is open at http')) onOpen()
  })
  child.stderr?.on('data', (text: Buffer) => {
    err += text.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const opened = new Promise<void>((resolve, reject) => {
    onOpen = resolve
    void ended.then((code) => reject(new Error(`It ended with ${code}: ${err}`)))
  })
  // Tests that wait only for the end need not hear of an opening that never came.
  opened.catch(() => {})
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { process: child, out: () => out, err: () => err, ended, opened, stop }
}

/** Where programs are found, and where what was compiled of the server is kept. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

/** Starts the server on a port that is free. */
export async function startServerOnFreePort(
  environment: Record<string, string>,
  options: ServerProcessOptions = {},
): Promise<ServerProcess & { port: number }> {
  const port = await findFreePort()
  return { port, ...startServerProcess({ PORT: String(port), ...environment }, options) }
}
