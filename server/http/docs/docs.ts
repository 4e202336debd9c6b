import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'

import { API_BASE } from '#contract/endpoint.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { takesBrotli } from '#server/http/routing/accepted-coding.ts'
import { type DocsPlace, renderDocs } from './docs-page.ts'
import { buildOpenApi } from './openapi.ts'

/** `GET /openapi.json`, and a page of it for people. */
export function addDocs(
  app: FastifyInstance,
  routes: readonly Route[],
  services: { sale: Sale },
  place: DocsPlace,
): void {
  const make = () => makeFiles(routes, services.sale.project.name, place)
  let made = make()
  for (const path of Object.keys(made.files) as DocsPath[]) {
    app.get(`${API_BASE}${path}`, async (request, reply) => {
      if (made.name !== services.sale.project.name) made = make()
      const { type, text, brotli } = made.files[path]
      reply.type(`${type}; charset=utf-8`).header('vary', 'accept-encoding')
      if (!takesBrotli(request)) return text
      reply.header('content-encoding', 'br')
      return brotli
    })
  }
}

type DocsPath = keyof ReturnType<typeof makeFiles>['files']

/** The files; only the project's name in them may change while the server runs. */
function makeFiles(routes: readonly Route[], name: string, place: DocsPlace) {
  const openApi = buildOpenApi(routes, `${name} presale`)
  const file = (type: string, text: string) => ({ type, text, brotli: brotliCompressSync(text) })
  return {
    name,
    files: {
      '/openapi.json': file('application/json', JSON.stringify(openApi)),
      '/docs': file('text/html', renderDocs(openApi, routes, place)),
      '/docs/style.css': file('text/css', readPart('frame.css') + readPart('text.css')),
      '/docs/script.js': file('text/javascript', readPart('docs.js')),
    },
  }
}

const readPart = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
