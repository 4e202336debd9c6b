const BEARER = /^Bearer ([\w-]{1,200})$/i

/** The token of an `Authorization` header; null where there is none of our form. */
export function readBearerToken(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null
}
