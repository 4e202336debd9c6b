import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

import { API_BASE } from '#contract/endpoint.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { takesBrotli } from '#server/http/routing/accepted-coding.ts'
import { type DocsPlace, renderDocs } from './docs-page.ts'
import { buildOpenApi } from './openapi.ts'

/** The best one takes a second, for a tenth less. */
const BROTLI_QUALITY = 9

const paths = ['/openapi.json', '/docs', '/docs/style.css', '/docs/script.js'] as const

/**
 * Both forms are kept and shared by all replies. A form made for each reply would be a way to fill
 * the memory: the largest is megabytes, and who asks for it many times need not read any of it.
 */
type DocsFile = { type: string; plain: Buffer; brotli: Buffer }
type DocsFiles = Record<(typeof paths)[number], DocsFile>

/** `GET /openapi.json`, and a page of it for people. */
export function addDocs(
  app: FastifyInstance,
  routes: readonly Route[],
  services: { sale: Sale },
  place: DocsPlace,
): void {
  let name = ''
  let making: Promise<DocsFiles> | null = null
  // The project's name is all that may change while the server runs.
  const currentFiles = () => {
    if (making === null || name !== services.sale.project.name) {
      name = services.sale.project.name
      making = makeFiles(routes, name, place)
      making.catch(() => (making = null))
    }
    return making
  }
  for (const path of paths) {
    app.get(`${API_BASE}${path}`, async (request, reply) => {
      const { type, plain, brotli } = (await currentFiles())[path]
      reply.type(`${type}; charset=utf-8`).header('vary', 'accept-encoding')
      if (!takesBrotli(request)) return plain
      reply.header('content-encoding', 'br')
      return brotli
    })
  }
}

async function makeFiles(
  routes: readonly Route[],
  name: string,
  place: DocsPlace,
): Promise<DocsFiles> {
  const openApi = buildOpenApi(routes, `${name} presale`)
  return {
    '/openapi.json': await pack('application/json', JSON.stringify(openApi)),
    '/docs': await pack('text/html', renderDocs(openApi, routes, place)),
    '/docs/style.css': await pack('text/css', readPart('frame.css') + readPart('text.css')),
    '/docs/script.js': await pack('text/javascript', readPart('docs.js')),
  }
}

async function pack(type: string, text: string): Promise<DocsFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const plain = Buffer.from(text)
  return { type, plain, brotli: await promisify(brotliCompress)(plain, { params }) }
}

const readPart = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
