import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'

import { Refusal } from '#domain/refusal.ts'

/** The internal route for requests whose own address cannot be read. */
const LED_TO = '/.unreadable-address'

/**
 * Answers requests with a malformed or overlong address like all others, with every hook, which the
 * framework would skip for them. Returns the handler for such a request.
 */
export function addBadAddresses(app: FastifyInstance) {
  const faults = new WeakMap<IncomingMessage, Error>()
  app.all(LED_TO, {
    onRequest: async ({ raw }: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      throw faults.get(raw) ?? new Refusal('NotFound')
    },
    handler: async () => {
      throw new Refusal('NotFound')
    },
  })
  return (fault: Error, { raw }: FastifyRequest, reply: FastifyReply) => {
    faults.set(raw, fault)
    raw.url = LED_TO
    app.routing(raw, reply.raw)
  }
}
