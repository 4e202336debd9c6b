import type { FastifyInstance } from 'fastify'

type Served = {
  /** How people reach the server; on plain HTTP the browser must not upgrade requests. */
  isHttps: boolean
  /** A sandbox shows mails in frames. */
  isSandbox: boolean
}

/** The paths of the scripts, styles, fonts and pictures of pages: files that are not documents. */
const PARTS_OF_PAGES = /^\/(?:operator\/)?(?:assets|brand)\//

const FOR_PARTS = new Set([
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
])

/**
 * Restricts our pages to our own resources, with headers that are made once. Parts of pages get
 * only those that matter for them: a page loads two dozen, and headers are not compressed.
 */
export function addSecurityHeaders(app: FastifyInstance, served: Served): void {
  const headers = securityHeaders(served)
  const ofParts = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => FOR_PARTS.has(name))),
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(PARTS_OF_PAGES.test(request.url) ? ofParts : headers)
    done()
  })
}

function securityHeaders({ isHttps, isSandbox }: Served): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy({ isHttps, isSandbox }),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    'referrer-policy': 'no-referrer',
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    // Old browsers' own filter could itself be used against a page.
    'x-xss-protection': '0',
  }
}

function contentSecurityPolicy({ isHttps, isSandbox }: Served): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    // Forms are sent by scripts only: a plain submit would put passwords into addresses.
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    ...(isSandbox ? ["frame-src 'self'"] : []),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join(';')
}
