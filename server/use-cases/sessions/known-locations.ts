import { createHmac } from 'node:crypto'

import { deviceName } from '#domain/accounts/device.ts'
import { networkOf } from '#domain/accounts/network.ts'
import type { LoginLocation } from '#server/database/accounts/sessions.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Client } from '#server/ports/security.ts'

/**
 * After this long a location counts as new again. A location is noted at a login, so this has to be
 * longer than a session may go on: the login after it comes from a known one.
 */
export const LOCATION_TTL_MS = 180 * 24 * 60 * 60_000
/** Enough for somebody who travels. */
export const LOCATIONS_MAX = 20

/**
 * Keyed hashes of the kind of device and the network from which somebody logs in. Nothing is stored
 * on the device.
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
