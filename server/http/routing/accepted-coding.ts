import type { IncomingHttpHeaders } from 'node:http'

const BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/

/** Whether a reply may be compressed with Brotli. */
export function takesBrotli({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return acceptedCoding(headers) === 'br'
}

/** The best compression for a reply to its caller; null if it must not be compressed. */
export function acceptedCoding(headers: IncomingHttpHeaders): 'br' | 'gzip' | null {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return null
  if (BROTLI.test(accepted)) return 'br'
  return GZIP.test(accepted) ? 'gzip' : null
}
