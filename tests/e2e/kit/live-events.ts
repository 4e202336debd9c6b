import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

import type { Page } from '@playwright/test'

import type { LiveEvent } from '#contract/transactions.ts'

export type LiveEvents = {
  /** Sends an event to every stream of the page that is open; waits for the first one. */
  send: (event: LiveEvent) => Promise<void>
}

/** Gives the page a stream of events that the test sends. */
export async function startLiveEvents(page: Page): Promise<LiveEvents> {
  const streams = new Set<ServerResponse>()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    streams.add(response)
    response.on('close', () => streams.delete(response))
    open()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  await page.route('**/api/v1/events', (route) =>
    route.continue({ url: `http://127.0.0.1:${port}/` }),
  )
  // Not earlier: a page that loses its stream logs that to its console.
  page.once('close', () => {
    for (const stream of streams) stream.destroy()
    server.close()
  })
  return {
    async send(event) {
      await opened
      for (const stream of streams) stream.write(`data: ${JSON.stringify(event)}\n\n`)
    },
  }
}
