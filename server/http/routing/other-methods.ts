import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { METHODS } from 'node:http'

import { Refusal } from '#domain/refusal.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** All other methods that Node parses; it never passes `CONNECT` to an application. */
const foreignMethods: HTTPMethods[] = METHODS.filter(
  (method) => ![...methods, 'OPTIONS', 'CONNECT'].includes(method),
)

/**
 * Answers the methods that nothing else handles, for every address of calls, pages and files:
 * `OPTIONS` with a 204 whose `Allow` lists the methods of the address, all others with a 405 that
 * lists them too. Collects addresses from now on; the function that it returns adds the answers
 * once all routes exist.
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
    // Routes of a nested scope are registered only now.
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
  // In hooks, which run before a body is read.
  app.route({ method: 'OPTIONS', url, onRequest: answer, handler: answer })
  const refused = [...methods, ...foreignMethods].filter((method) => !taken.has(method))
  app.route({ method: refused, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
}
