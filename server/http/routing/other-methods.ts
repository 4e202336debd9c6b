import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { METHODS } from 'node:http'

import { Refusal } from '#domain/refusal.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Every other that Node reads; it never hands `CONNECT` to an application. */
const foreignMethods: HTTPMethods[] = METHODS.filter(
  (method) => ![...methods, 'OPTIONS', 'CONNECT'].includes(method),
)

/**
 * Makes every address, of calls, pages and files alike, answer the methods that nothing else
 * answers: `OPTIONS` is a 204 whose `Allow` names what the address takes, and every other method is
 * a 405 that names it too. Begins to take down the addresses at once; what it replies adds the
 * answers, once all of them are there.
 */
export function collectMethods(app: FastifyInstance): () => Promise<void> {
  for (const method of foreignMethods) app.addHttpMethod(method, { overrideExisting: true })
  const takenByUrl = new Map<string, Set<HTTPMethods>>()
  app.addHook('onRoute', ({ url, method }) => {
    const taken = takenByUrl.get(url) ?? new Set()
    for (const each of [method].flat()) taken.add(each)
    takenByUrl.set(url, taken)
  })
  return async () => {
    // Where a route was added within a scope of its own, that is built only now.
    await app.after()
    for (const [url, taken] of takenByUrl) answerOthers(app, url, new Set(taken))
  }
}

function answerOthers(app: FastifyInstance, url: string, taken: ReadonlySet<HTTPMethods>): void {
  const allowed = methods.filter((method) => taken.has(method))
  const allow = [...allowed, 'OPTIONS'].join(', ')
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) => {
    reply.header('allow', allow)
    throw new Refusal('MethodNotAllowed', {
      message: `This address takes ${allowed.join(', ')} only`,
    })
  }
  const answer = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.code(204).header('allow', allow).send()
  // In hooks, so that no body is read.
  app.route({ method: 'OPTIONS', url, onRequest: answer, handler: answer })
  const refused = [...methods, ...foreignMethods].filter((method) => !taken.has(method))
  app.route({ method: refused, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}
