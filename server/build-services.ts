import { randomBytes, randomUUID } from 'node:crypto'

import type { OpenDatabase } from './database/connection/open-database.ts'
import { proofTrees } from './delivery-files/proof-trees.ts'
import { makeTree } from './delivery-files/merkle/make-tree.ts'
import { distributionFiles } from './delivery-files/write-files.ts'
import { createAccountReader } from './runtime/account-reader.ts'
import { createAddressQueue, type QueueBounds } from './runtime/bounded-queues.ts'
import { createChartReader } from './runtime/chart-reader.ts'
import { createMarketReader } from './runtime/market-reader.ts'
import { createBooking } from './runtime/purchase-booking.ts'
import { createSaleFollower } from './runtime/sale-follower.ts'
import { createTransactionReader } from './runtime/transaction-reader.ts'
import { createVisitCounter } from './runtime/visit-counter.ts'
import { createAuthenticator } from './security/authenticator.ts'
import { createOperatorLookup } from './security/operator-lookup.ts'
import { createPasskeys } from './security/passkeys.ts'
import { createPasswordHasher } from './security/passwords.ts'
import { createRateLimits } from './security/rate-limits.ts'
import { createSessionLookup } from './security/session-lookup.ts'
import { createWebhookSigner } from './security/webhook-signer.ts'
import type { Services } from './services.ts'

/** What differs between a server and a test. */
type Surroundings = Pick<
  Services,
  | 'settings'
  | 'clock'
  | 'log'
  | 'sale'
  | 'saleFileId'
  | 'saleFiles'
  | 'rails'
  | 'deliveryChains'
  | 'wallets'
  | 'priceSource'
  | 'mailSender'
  | 'webhookSender'
  | 'live'
> & { open: OpenDatabase; passwordBounds: QueueBounds }

/** Builds every collaborator. Shared by the server and the tests. */
export function buildServices({ open, passwordBounds, ...given }: Surroundings): Services {
  const { database } = open
  const { clock, live, settings } = given
  const market = createMarketReader(database, live)
  const services: Services = {
    ...given,
    makeTree,
    distributionFiles,
    database,
    statements: open,
    random: {
      id: () => randomUUID(),
      token: () => randomBytes(32).toString('base64url'),
    },
    passwords: createPasswordHasher(passwordBounds),
    authenticator: createAuthenticator(settings.secretKey),
    passkeys: createPasskeys(settings.publicUrl, given.sale.project.name),
    limits: createRateLimits(open),
    sessions: createSessionLookup(open, clock),
    operators: createOperatorLookup(database, clock),
    webhookSigner: createWebhookSigner(settings.secretKey),
    proofTrees,
    readAccount: createAccountReader(open),
    readTransactions: createTransactionReader(open),
    market,
    chart: createChartReader(database, clock),
    bookPurchase: createBooking(open, market),
    queueForAddress: createAddressQueue(),
    followSale: createSaleFollower(() => services),
    visits: createVisitCounter(),
  }
  followChanges(services)
  return services
}

/** At once if another sale file is applied, and if a notification of that may have been missed. */
function followChanges({ live, log, followSale }: Services): void {
  const follow = () =>
    void followSale().catch((error: unknown) =>
      log.warn(
        { error },
        'It could not be checked which sale file is applied. The server tries again soon',
      ),
    )
  live.subscribe(({ kind }) => {
    if (kind === 'sale_applied') follow()
  })
  live.onGap(follow)
}
