import { createHmac, hash, timingSafeEqual } from 'node:crypto'

import type { SessionTokenColumns } from '#server/database/accounts/sessions.ts'
import type { Secret } from '#server/ports/runtime.ts'

export const ACCESS_TTL_MS = 15 * 60_000
export const REFRESH_TTL_MS = 30 * 24 * 60 * 60_000
/** However often it is refreshed, a session asks for the password again after this long. */
export const SESSION_TTL_MS = 90 * 24 * 60 * 60_000

export type IssuedTokens = {
  access: { token: string; expiresAt: Date }
  refresh: { token: string; expiresAt: Date }
}

/**
 * Identifies one pair of tokens of one session. Tokens are derived from it instead of drawn at
 * random, so a repeated refresh can get the same successor although only hashes are stored.
 */
export type TokenSource = { sessionId: string; generation: number; salt: Uint8Array }

const ID_BYTES = 16
const GENERATION_BYTES = 4
const MAC_BYTES = 32

export function accessTokenOf(secretKey: Secret, source: TokenSource): string {
  return mac(secretKey, 'access', source).toString('base64url')
}

/** A refresh token shows its session id and generation; the rest of it proves them. */
export function refreshTokenOf(secretKey: Secret, source: TokenSource): string {
  const { sessionId, generation } = source
  return Buffer.concat([
    idBytes(sessionId),
    generationBytes(generation),
    mac(secretKey, 'refresh', source),
  ]).toString('base64url')
}

/** What a refresh token claims to be; null for any other text. This proves nothing by itself. */
export function readRefreshToken(token: string): { sessionId: string; generation: number } | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_BYTES + GENERATION_BYTES + MAC_BYTES) return null
  if (bytes.toString('base64url') !== token) return null
  const hex = bytes.toString('hex', 0, ID_BYTES)
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const generation = bytes.readUInt32BE(ID_BYTES)
  // A number too large for the column was never issued.
  return generation > 0x7fff_ffff ? null : { sessionId, generation }
}

/** True if `token` is the one that was issued for `source`. */
export function isRefreshTokenOf(secretKey: Secret, source: TokenSource, token: string): boolean {
  const expected = Buffer.from(refreshTokenOf(secretKey, source))
  const given = Buffer.from(token)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** The form in which tokens are stored and looked up. */
export function hashToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}

/** New tokens for a generation of a session, and the columns that remember them. */
export function issueTokens(
  secretKey: Secret,
  source: TokenSource & { startedAt: Date },
  now: Date,
): { tokens: IssuedTokens; columns: SessionTokenColumns } {
  const endMs = source.startedAt.getTime() + SESSION_TTL_MS
  const tokens: IssuedTokens = {
    access: {
      token: accessTokenOf(secretKey, source),
      expiresAt: new Date(now.getTime() + ACCESS_TTL_MS),
    },
    refresh: {
      token: refreshTokenOf(secretKey, source),
      expiresAt: new Date(Math.min(now.getTime() + REFRESH_TTL_MS, endMs)),
    },
  }
  return {
    tokens,
    columns: {
      generation: source.generation,
      access_token_hash: hashToken(tokens.access.token),
      access_expires_at: tokens.access.expiresAt,
      refresh_token_hash: hashToken(tokens.refresh.token),
      refresh_expires_at: tokens.refresh.expiresAt,
    },
  }
}

/** The token of a mailed link, derived so that neither the table nor the outbox ever holds it. */
export function linkTokenOf(secretKey: Secret, linkId: string): string {
  return createHmac('sha256', secretKey.reveal()).update(`link ${linkId}`).digest('base64url')
}

function mac(secretKey: Secret, use: 'access' | 'refresh', source: TokenSource): Buffer {
  return createHmac('sha256', secretKey.reveal())
    .update(`${use} `)
    .update(idBytes(source.sessionId))
    .update(generationBytes(source.generation))
    .update(source.salt)
    .digest()
}

function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function generationBytes(generation: number): Buffer {
  const bytes = Buffer.alloc(GENERATION_BYTES)
  bytes.writeUInt32BE(generation)
  return bytes
}
