import { isIP } from 'node:net'
import type { Secret } from '#server/ports/runtime.ts'
import { Fault, secret } from '#server/payments/variables.ts'

const URLS_MAX = 10

/**
 * Parses the addresses of a chain's nodes, separated by spaces or commas. Over a public network
 * only encrypted ones are accepted: whoever can change a node's answers can invent payments.
 */
export function parseNodeUrls(text: string): readonly Secret[] | Fault {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const urls = words.map((word) => URL.parse(word))
  const areWeb = urls.every((url) => url?.protocol === 'https:' || url?.protocol === 'http:')
  if (words.length === 0 || words.length > URLS_MAX || !areWeb) {
    return new Fault(
      `must be 1 to ${URLS_MAX} addresses of nodes that begin with https://, with spaces between`,
    )
  }
  const open = urls.find((url) => url?.protocol === 'http:' && !isPrivate(url.hostname))
  if (open !== undefined) {
    return new Fault('must begin with https:// where the node is not in a network of your own')
  }
  return words.map(secret)
}

/**
 * This machine, a private network (RFC 1918, RFC 4193), or a name that only such a network knows.
 */
export function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 4) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)
  if (isIP(host) === 6) return host === '::1' || /^f[cd]/.test(host)
  return !host.includes('.') || /\.(internal|local|localhost)$/.test(host)
}
