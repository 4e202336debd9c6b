import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay, { type Config, type HTTPVersion } from 'find-my-way'

import { Refusal } from '#domain/refusal.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The method that every address is kept by, whatever it takes. */
const KEPT_BY = 'GET'

/**
 * Answers the methods that nothing else handles, for every address of calls, pages and files:
 * `OPTIONS` with a 204 whose `Allow` lists the methods of the address, all others with a 405 that
 * lists them too. Collects addresses from now on; the function that it returns adds the answers
 * once all routes exist. The addresses are kept once, in a router of their own, since a route for
 * each method of each file would be most of what the server keeps in memory.
 * @param reading How the app itself reads addresses.
 */
export function collectMethods(
  app: FastifyInstance,
  reading: Config<HTTPVersion.V1>,
): () => Promise<void> {
  const takenByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const taken = takenByUrl.get(url) ?? new Set()
    for (const each of [method].flat()) taken.add(each)
    takenByUrl.set(url, taken)
  })
  return async () => {
    // Routes of a nested scope are registered only now.
    await app.after()
    const addresses = findMyWay(reading)
    for (const [url, taken] of takenByUrl) {
      const allowed = methods.filter((method) => taken.has(method))
      addresses.on(KEPT_BY, url, () => {}, allowed)
    }
    // In a hook, which runs before a body is read.
    app.addHook('onRequest', (request, reply, done) => {
      const found = request.is404 ? addresses.find(KEPT_BY, request.url) : null
      if (found === null) done()
      else answerOther(request, reply, found.store as readonly string[], done)
    })
  }
}

function answerOther(
  { method }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
  done: (fault: Error) => void,
): void {
  reply.header('allow', [...allowed, 'OPTIONS'].join(', '))
  if (method === 'OPTIONS') void reply.code(204).send()
  else {
    done(
      new Refusal('MethodNotAllowed', {
        message: `This address takes ${allowed.join(', ')} only`,
      }),
    )
  }
}
