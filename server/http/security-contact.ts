import type { FastifyInstance } from 'fastify'

import { pageLanguages } from '#contract/language.ts'
import type { Services } from '#server/services.ts'

const PATH = '/.well-known/security.txt'
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/**
 * Serves `/.well-known/security.txt` (RFC 9116), which says where to report a weakness: to the
 * address in the sale file, or on the project's site if the file has none.
 */
export function addSecurityContact(app: FastifyInstance, services: Services): void {
  const { settings, clock } = services
  app.get(PATH, async (_request, reply) => {
    const { contactEmail, mainSiteUrl } = services.sale.project
    const contact = contactEmail === null ? mainSiteUrl : `mailto:${contactEmail}`
    // The same all day long.
    const today = Math.floor(clock.now().getTime() / DAY_MS)
    const expires = new Date((today + VALID_DAYS) * DAY_MS)
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache')
    return [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      `Preferred-Languages: ${pageLanguages.join(', ')}`,
      `Canonical: ${settings.publicUrl}${PATH}`,
      '',
    ].join('\n')
  })
}
