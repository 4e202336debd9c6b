import { deviceName } from '#domain/accounts/device.ts'
import { networkOf } from '#domain/accounts/network.ts'
import { enqueueOperatorMail } from '#server/database/books/outbox.ts'
import { insertOperatorSession } from '#server/database/operators/operator-sessions.ts'
import { listSignInPlaces } from '#server/database/operators/security-events.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'
import { SESSION_TTL_MS } from '#server/use-cases/access/operator.ts'
import { hashToken } from '#server/use-cases/access/session-tokens.ts'
import { noteSecurityEvent } from './note-security-event.ts'

/** A session that has just begun. Only the hash of its token is stored. */
export type StartedOperatorSession = { id: string; token: string; expiresAt: Date }

/** After this long a place counts as new again. */
const PLACE_TTL_MS = 90 * 24 * 60 * 60_000

/**
 * Opens a session for an operator who has just proved their identity, notes how they did, and mails
 * them if they have not signed in from there lately.
 */
export async function startOperatorSession(
  services: Services,
  transaction: DatabaseTransaction,
  {
    operator,
    kind,
    by,
  }: {
    operator: { id: string; email: string }
    kind: 'signed_in' | 'accepted'
    /** In words: `a passkey, “Laptop”`. */
    by: string
  },
  client: Client,
): Promise<StartedOperatorSession> {
  const { clock, random } = services
  const now = clock.now()
  const session = {
    id: random.id(),
    token: random.token(),
    expiresAt: new Date(now.getTime() + SESSION_TTL_MS),
  }
  const places = await listPlaces(transaction, operator.id, now)
  await insertOperatorSession(transaction, {
    id: session.id,
    operator_id: operator.id,
    token_hash: hashToken(session.token),
    started_at: now,
    last_used_at: now,
    expires_at: session.expiresAt,
    user_agent: client.userAgent,
    address: client.address,
  })
  const event = { operatorId: operator.id, kind, details: { by } } as const
  await noteSecurityEvent(services, transaction, event, client)
  const isKnown = places.some((place) => placeOf(place.address, place.user_agent) === here(client))
  if (kind === 'signed_in' && !isKnown) {
    await enqueueOperatorMail(transaction, {
      recipient: operator.email,
      kind: 'operator_signed_in',
      params: { session_id: session.id },
      uniqueKey: `operator_signed_in:${session.id}`,
      at: now,
    })
  }
  return session
}

/** Whether an operator has signed in from the caller's network lately. */
export async function isKnownNetwork(
  { clock, database }: Services,
  operatorId: string,
  { address }: Client,
): Promise<boolean> {
  const places = await listPlaces(database, operatorId, clock.now())
  return places.some((place) => networkOf(place.address) === networkOf(address))
}

function listPlaces(database: Database, operatorId: string, now: Date) {
  return listSignInPlaces(database, operatorId, new Date(now.getTime() - PLACE_TTL_MS))
}

const here = ({ address, userAgent }: Client) => placeOf(address, userAgent)

const placeOf = (address: string, userAgent: string) =>
  `${networkOf(address)} ${deviceName(userAgent)}`
