import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'

import { API_BASE } from '#contract/endpoint.ts'
import type { Project } from '#domain/sale/sale.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { takesBrotli } from '#server/http/routing/takes-brotli.ts'
import { type DocsPlace, renderDocs } from './docs-page.ts'
import { buildOpenApi } from './openapi.ts'

/** `GET /openapi.json`, and a page of it for people. */
export function addDocs(
  app: FastifyInstance,
  routes: readonly Route[],
  project: Project,
  place: DocsPlace,
): void {
  const openApi = buildOpenApi(routes, `${project.name} presale`)
  const files = {
    '/openapi.json': ['application/json', JSON.stringify(openApi)],
    '/docs': ['text/html', renderDocs(openApi, routes, place)],
    '/docs/style.css': ['text/css', readPart('frame.css') + readPart('text.css')],
    '/docs/script.js': ['text/javascript', readPart('docs.js')],
  } as const
  for (const [path, [type, text]] of Object.entries(files)) {
    const brotli = brotliCompressSync(text)
    app.get(`${API_BASE}${path}`, async (request, reply) => {
      reply.type(`${type}; charset=utf-8`).header('vary', 'accept-encoding')
      if (!takesBrotli(request)) return text
      reply.header('content-encoding', 'br')
      return brotli
    })
  }
}

const readPart = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
