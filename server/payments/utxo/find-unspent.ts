import { setTimeout as delay } from 'node:timers/promises'
import { RpcRefused } from '#server/payments/chains/nodes/json-rpc.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { UtxoNode } from './node.ts'

type Reporting = {
  chain: string
  log: Log
  /** The pause between two checks of the node's progress. */
  everyMs: number
  /** Called repeatedly, with a sentence, while it lasts. */
  report(what: string): void
}

/** In percent: progress is logged each time the node has got this much further. */
const LOGGED_STEP = 10

/**
 * Which scripts have unspent outputs, according to a node that searches all there are: that takes
 * minutes, or hours on a slow disk. Null if the node cannot say. Throws `Unavailable` if the node
 * is already searching, for somebody else or from before a restart: it runs one search at a time.
 */
export async function findUnspent(
  node: UtxoNode,
  scripts: readonly string[],
  reporting: Reporting,
): Promise<ReadonlySet<string> | null> {
  const finding = node.findUnspent(scripts)
  const isDone = finding.then(
    () => true,
    () => true,
  )
  await reportUntil(isDone, node, reporting)
  try {
    return await finding
  } catch (error) {
    const progress = error instanceof RpcRefused ? await progressOf(node) : null
    if (progress === null) throw error
    throw new Unavailable(
      `The node at ${node.host} is searching all unspent coins for another reader, or since ` +
        `before a restart (${progress} % done). It is asked again after that`,
    )
  }
}

async function reportUntil(isDone: Promise<boolean>, node: UtxoNode, reporting: Reporting) {
  const { chain, log, everyMs, report } = reporting
  const stop = new AbortController()
  const pause = () => delay(everyMs, false, { signal: stop.signal }).catch(() => false)
  let logged = -LOGGED_STEP
  while (!(await Promise.race([isDone, pause()]))) {
    const progress = await progressOf(node)
    if (progress === null) continue
    report(
      `The node at ${node.host} is searching all unspent coins once (${progress} % done). ` +
        `Nothing can be bought ` +
        `on ${chain} before that ends`,
    )
    if (progress < logged + LOGGED_STEP) continue
    logged = progress
    log.info({ chain, node: node.host, percent: progress }, 'A node is searching all coins once')
  }
  stop.abort()
}

async function progressOf(node: UtxoNode): Promise<number | null> {
  return await node.findingProgress().catch(() => null)
}
