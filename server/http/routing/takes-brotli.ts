import type { FastifyRequest } from 'fastify'

/** Whether a reply may be compressed with Brotli. */
export function takesBrotli({ headers }: FastifyRequest): boolean {
  const accepted = headers['accept-encoding']
  return typeof accepted === 'string' && /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(accepted)
}
