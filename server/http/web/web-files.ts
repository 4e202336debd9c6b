import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

import { type PageLanguage, pageLanguages } from '#contract/language.ts'
import { LANGUAGE_COOKIE } from '#contract/page-seed.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Services } from '#server/services.ts'
import { addCrawlerFiles } from './crawler-files.ts'
import { takesBrotli } from '#server/http/routing/accepted-coding.ts'
import { wantsPage } from '#server/http/routing/wants-page.ts'
import { addProjectPictures } from '#server/http/api/project-pictures.ts'
import {
  createRenderedPages,
  type Listing,
  RENDERER_FOLDER,
  type SentPage,
} from './rendered-pages.ts'

/** The pages of the web app, and whether search engines may list them. */
export const webPages: Readonly<Record<string, Listing>> = {
  '/': 'listed',
  '/login': 'listed',
  '/register': 'listed',
  '/forgot-password': 'unlisted',
  '/reset-password': 'unlisted',
  '/verify-email': 'unlisted',
  '/cancel-wallet': 'unlisted',
  '/account': 'unlisted',
  '/buy': 'unlisted',
  '/promotions': 'unlisted',
  '/referrals': 'unlisted',
  '/terms': 'listed',
  '/privacy-policy': 'listed',
  '/info': 'listed',
  '/proof': 'listed',
}

/** To be saved and opened from a disk: the script inside it never runs at our address. */
const OFFLINE_PAGE = 'check-receipt.html'

const HASHED_FOLDER = `${sep}assets${sep}`

export type WebApp = {
  folder: string
  pageAt: Awaited<ReturnType<typeof createRenderedPages>>
  /** The path of its stylesheet; null if it has none. */
  stylesheet: string | null
}

export async function openWebApp(services: Services, folder: string): Promise<WebApp> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const stylesheet = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(html)?.[1] ?? null
  return { folder, pageAt: await createRenderedPages(services, folder), stylesheet }
}

export async function addWebFiles(app: FastifyInstance, services: Services, web: WebApp) {
  await app.register(fastifyStatic, {
    root: web.folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/.vite/**', `${RENDERER_FOLDER}/**`, '**/index.html', 'robots.txt', '**/*.br'],
    setHeaders: (reply, path) => {
      // The names of built assets change with their content; any other file may change under its
      // name.
      const isHashed = path.includes(HASHED_FOLDER)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (path.includes(`${sep}${OFFLINE_PAGE}`)) {
        reply.header('content-disposition', `attachment; filename="${OFFLINE_PAGE}"`)
      }
    },
  })
  const { isSandbox } = services.settings
  const pages = isSandbox ? { ...webPages, '/sandbox': 'unlisted' as const } : webPages
  for (const [path, listing] of Object.entries(pages)) {
    app.get(path, async (request, reply) => {
      const page = await web.pageAt(path, listing, languageOf(request))
      if (request.method === 'GET') services.visits.add()
      return sendPage(page, request, reply)
    })
  }
  await addConsolePage(app, web.folder)
  addProjectPictures(app, services)
  addCrawlerFiles(app, services, webPages)
}

/**
 * Serves the single page of the console at each of its addresses; the browser decides which screen
 * it shows. Its files are served with those of the web app.
 */
async function addConsolePage(app: FastifyInstance, webFolder: string): Promise<void> {
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

/** The web app's page for an address that does not exist. */
export async function sendMissingPage(web: WebApp, request: FastifyRequest, reply: FastifyReply) {
  const page = await web.pageAt(null, 'unlisted', languageOf(request))
  return sendPage(page, request, reply.code(404))
}

function sendPage(page: SentPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { html, brotli, etag } = page
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding, cookie', etag })
  const isKnown = request.headers['if-none-match'] === etag && reply.statusCode === 200
  if (isKnown) return reply.code(304).send()
  reply.type('text/html; charset=utf-8')
  if (!takesBrotli(request)) return reply.send(html)
  return reply.header('content-encoding', 'br').send(brotli)
}

/** The language chosen on the device; `Accept-Language` is deliberately ignored. */
function languageOf({ headers }: FastifyRequest): PageLanguage {
  const cookies = headers.cookie?.split(/;\s*/) ?? []
  const isChosen = (language: PageLanguage) => cookies.includes(`${LANGUAGE_COOKIE}=${language}`)
  return pageLanguages.find(isChosen) ?? pageLanguages[0]
}
