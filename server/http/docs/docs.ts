import type { FastifyInstance } from 'fastify'

import { API_BASE } from '#contract/endpoint.ts'
import type { Project } from '#domain/sale/sale.ts'
import { renderDocs, docsStyle } from './docs-page.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { buildOpenApi } from './openapi.ts'

/** `GET /openapi.json`, and a page of it for people. */
export function addDocs(app: FastifyInstance, routes: readonly Route[], project: Project): void {
  const openApi = buildOpenApi(routes, `${project.name} presale`)
  const document = JSON.stringify(openApi)
  const page = renderDocs(openApi)
  app.get(`${API_BASE}/openapi.json`, async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    return document
  })
  app.get(`${API_BASE}/docs`, async (_request, reply) => {
    reply.type('text/html; charset=utf-8')
    return page
  })
  app.get(`${API_BASE}/docs/style.css`, async (_request, reply) => {
    reply.type('text/css; charset=utf-8')
    return docsStyle
  })
}
