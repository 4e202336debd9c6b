import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sep } from 'node:path'

import { API_BASE } from '#contract/endpoint.ts'

/** The pages of the web app; each is the same file, which finds its way by the address. */
const webRoutes = [
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/account',
  '/buy',
  '/promotions',
  '/referrals',
  '/terms',
  '/privacy-policy',
  '/info',
]

const HASHED_FOLDER = `${sep}assets${sep}`

/** Serves the built web app from `folder`, compressed as the build left it. */
export async function addWebFiles(
  app: FastifyInstance,
  folder: string,
  isSandbox: boolean,
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['.vite/**', '**/*.br'],
    setHeaders: (reply, path) => {
      // The names of built assets change with their content; every other file may change.
      const isHashed = path.includes(HASHED_FOLDER)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const path of isSandbox ? [...webRoutes, '/sandbox'] : webRoutes) {
    app.get(path, (_request, reply) => sendPage(reply))
  }
}

function sendPage(reply: FastifyReply) {
  return reply.sendFile('index.html')
}

/** True where a person's browser asks for a page, and not a program for anything of the API. */
export function wantsPage(request: FastifyRequest): boolean {
  const wantsHtml = request.headers.accept?.includes('text/html') === true
  return request.method === 'GET' && wantsHtml && !request.url.startsWith(API_BASE)
}

/** The web app's own page for an address that does not exist. */
export function sendMissingPage(reply: FastifyReply) {
  return reply.code(404).sendFile('index.html')
}
