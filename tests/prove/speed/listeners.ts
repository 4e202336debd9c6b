/**
 * Pages that are open: streams of events, each on a connection of its own and of a user of its own,
 * in a process apart from the server's. Started by `openStreams`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

import { API_BASE } from '#contract/endpoint.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { mapWithConcurrency } from '#server/payments/chains/concurrency.ts'
import { accessTokenOf } from './speed-server.ts'

type Task = { port: number; streams: number }
type Answer =
  | { kind: 'open' }
  | { kind: 'failed'; reason: string }
  /** All have heard of a stage since they were asked to listen: when the last did. */
  | { kind: 'heard'; lastAt: number }
  /** How many events of the stage the stream with the most has heard. */
  | { kind: 'counted'; most: number; fewest: number }

export type OpenStreams = {
  /** Resolves with the instant at which the last stream has heard of a stage from now on. */
  listen(): Promise<{ heard: Promise<number> }>
  /** How many stage events the streams have heard since `listen`. */
  count(): Promise<{ most: number; fewest: number }>
  close(): Promise<void>
}

const OPENING_AT_ONCE = 50

export async function openStreams(task: Task): Promise<OpenStreams> {
  const child = fork(fileURLToPath(import.meta.url), [], { stdio: 'inherit' })
  const close = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  try {
    child.send(task)
    await answerOf(child, 'open')
  } catch (fault) {
    await close()
    throw fault
  }
  return {
    async listen() {
      const heard = answerOf(child, 'heard').then(({ lastAt }) => lastAt)
      child.send('listen')
      return { heard }
    },
    async count() {
      const counted = answerOf(child, 'counted')
      child.send('count')
      return await counted
    },
    close,
  }
}

function answerOf<Kind extends Answer['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<Answer, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const hear = (answered: Answer) => {
      if (answered.kind === 'failed') reject(new Error(answered.reason))
      if (answered.kind !== kind) return
      child.off('message', hear)
      resolve(answered as Extract<Answer, { kind: Kind }>)
    }
    child.on('message', hear)
    child.once('exit', () => reject(new Error('The streams ended early.')))
  })
}

if (import.meta.main) {
  const answer = (answered: Answer) => process.send?.(answered)
  let events: number[] = []
  let unheard = 0
  process.on('message', (message: Task | 'listen' | 'count') => {
    if (message === 'listen') {
      events = events.map(() => 0)
      unheard = events.length
    } else if (message === 'count') {
      answer({ kind: 'counted', most: Math.max(...events), fewest: Math.min(...events) })
    } else {
      events = Array.from({ length: message.streams }, () => 0)
      openAll(message, (stream) => {
        events[stream] = (events[stream] ?? 0) + 1
        if (events[stream] !== 1) return
        unheard -= 1
        if (unheard === 0) answer({ kind: 'heard', lastAt: Date.now() })
      }).then(
        () => answer({ kind: 'open' }),
        (fault: unknown) => answer({ kind: 'failed', reason: String(fault) }),
      )
    }
  })
}

async function openAll({ port, streams }: Task, onStage: (stream: number) => void): Promise<void> {
  const all = Array.from({ length: streams }, (_, stream) => stream)
  await mapWithConcurrency(all, OPENING_AT_ONCE, async (stream) => {
    const socket = await open(port, stream)
    socket.on('data', (chunk: string) => {
      for (let at = chunk.indexOf('event: stage'); at !== -1;) {
        onStage(stream)
        at = chunk.indexOf('event: stage', at + 1)
      }
    })
  })
}

async function open(port: number, user: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setEncoding('latin1')
  socket.write(
    `GET ${API_BASE}${transactionsContract.streamEvents.path} HTTP/1.1\r\nhost: here\r\n` +
      `authorization: Bearer ${accessTokenOf(user)}\r\n\r\n`,
  )
  const [head] = (await once(socket, 'data')) as [string]
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`A stream was refused: ${head}`)
  return socket
}
