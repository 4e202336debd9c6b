import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/**
 * Restricts our pages to our own resources. `isHttps`: how people reach the server; on plain HTTP
 * the browser must not upgrade requests. A sandbox shows mails in frames.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { isHttps, isSandbox }: { isHttps: boolean; isSandbox: boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        // Forms are sent by scripts only: a plain submit would put passwords into addresses.
        formAction: ["'none'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        ...(isSandbox && { frameSrc: ["'self'"] }),
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: true },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    )
  })
}
