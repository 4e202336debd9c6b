import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import type { Secret } from '#server/ports/runtime.ts'

const BEARER = /^Bearer ([\w-]{1,200})$/i

/** The token of an `Authorization` header; null where there is none of our form. */
export function readBearerToken(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}

/** Takes equally long wherever the given token differs from `token`; hashes are of one length. */
export function hasBearerToken({ authorization }: IncomingHttpHeaders, token: Secret): boolean {
  const given = readBearerToken(authorization) ?? ''
  return timingSafeEqual(digest(given), digest(token.reveal()))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
