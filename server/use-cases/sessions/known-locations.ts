import { createHmac } from 'node:crypto'

import { deviceName } from '#domain/accounts/device.ts'
import { networkOf } from '#domain/accounts/network.ts'
import {
  isKnownNetwork,
  type LoginLocation,
  rememberLocation,
} from '#server/database/accounts/known-locations.ts'
import { enqueueMail } from '#server/database/books/outbox.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'

/** Later a location counts as new again. */
export const LOCATION_TTL_MS = 90 * 24 * 60 * 60_000
/** Enough for somebody who travels. */
const LOCATIONS_MAX = 20

/**
 * Keyed hashes of the kind of device and the network that a login comes from. Nothing is stored on
 * the device itself.
 */
export function locationOf(secretKey: Secret, client: Client): LoginLocation {
  const network = networkOf(client.address)
  const hash = (text: string) =>
    createHmac('sha256', secretKey.reveal()).update(`place ${text}`).digest()
  return {
    placeHash: hash(`${network} ${deviceName(client.userAgent)}`),
    networkHash: hash(network),
  }
}

/** True where the user has logged in from the client's network before. */
export async function isFromKnownNetwork(
  services: Pick<Services, 'settings' | 'clock' | 'database'>,
  userId: string,
  client: Client,
): Promise<boolean> {
  const { networkHash } = locationOf(services.settings.secretKey, client)
  const since = new Date(services.clock.now().getTime() - LOCATION_TTL_MS)
  return isKnownNetwork(services.database, userId, networkHash, since)
}

/** Remembers where a new session comes from, and mails the user where it is a new location. */
export async function rememberLogin(
  services: Services,
  transaction: DatabaseTransaction,
  session: { userId: string; sessionId: string },
  client: Client,
): Promise<void> {
  const now = services.clock.now()
  const { userId, sessionId } = session
  const location = locationOf(services.settings.secretKey, client)
  const { isNew } = await rememberLocation(transaction, userId, location, now, LOCATIONS_MAX)
  if (isNew) await enqueueSessionMail(transaction, 'new_login', userId, sessionId, now)
}

/** Writes a mail about one session. */
export async function enqueueSessionMail(
  database: Database,
  kind: 'new_login' | 'session_reused',
  userId: string,
  sessionId: string,
  at: Date,
): Promise<void> {
  await enqueueMail(database, {
    userId,
    kind,
    params: { session_id: sessionId },
    uniqueKey: `${kind}:${sessionId}`,
    at,
  })
}
