import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Refusal } from '#domain/refusal.ts'
import { wantsPage } from '#server/http/routing/wants-page.ts'

/**
 * Serves the single page of the console at each of its addresses; the browser decides which screen
 * it shows. Its files are served with those of the web app.
 */
export async function addConsolePage(app: FastifyInstance, webFolder: string): Promise<void> {
  const file = join(webFolder, 'operator', 'index.html')
  if (!existsSync(file)) return
  const page = await readFile(file)
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!wantsPage(request)) throw new Refusal('NotFound')
    // Links from other sites must not reveal where they came from, and no cache may keep the page.
    return reply
      .headers({ 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page)
  }
  app.get('/operator', send)
  app.get('/operator/*', send)
}
