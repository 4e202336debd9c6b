import { randomBytes, randomUUID } from 'node:crypto'

import type { OpenDatabase } from './database/connection/open-database.ts'
import { createAddressQueue, type QueueBounds } from './runtime/bounded-queues.ts'
import { createChartReader } from './runtime/chart-reader.ts'
import { createMarketReader } from './runtime/market-reader.ts'
import { createBooking } from './runtime/purchase-booking.ts'
import { createAuthenticator } from './security/authenticator.ts'
import { createPasswordHasher } from './security/passwords.ts'
import { createRateLimits } from './security/rate-limits.ts'
import { createSessionLookup } from './security/session-lookup.ts'
import type { Services } from './services.ts'

/** What differs between a server and a test. */
type Surroundings = Pick<
  Services,
  'settings' | 'clock' | 'log' | 'sale' | 'rails' | 'priceSource' | 'mailSender' | 'live'
> & { open: OpenDatabase; passwordBounds: QueueBounds }

/** Builds every collaborator. Shared by the server and the tests. */
export function buildServices({ open, passwordBounds, ...given }: Surroundings): Services {
  const { database } = open
  const { clock, live, settings } = given
  return {
    ...given,
    database,
    random: {
      id: () => randomUUID(),
      token: () => randomBytes(32).toString('base64url'),
    },
    passwords: createPasswordHasher(passwordBounds),
    authenticator: createAuthenticator(settings.secretKey),
    limits: createRateLimits(database),
    sessions: createSessionLookup(open, clock),
    market: createMarketReader(database, live),
    chart: createChartReader(database, clock),
    bookPurchase: createBooking(open),
    queueForAddress: createAddressQueue(),
  }
}
