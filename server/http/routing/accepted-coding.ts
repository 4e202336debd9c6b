import type { IncomingHttpHeaders } from 'node:http'

const BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/

/** Whether a reply may be compressed with Brotli. */
export function takesBrotli({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return acceptedCoding(headers) === 'br'
}

/** How a reply is best compressed for its caller; null where it must not be. */
export function acceptedCoding(headers: IncomingHttpHeaders): 'br' | 'gzip' | null {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return null
  if (BROTLI.test(accepted)) return 'br'
  return GZIP.test(accepted) ? 'gzip' : null
}
