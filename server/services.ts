import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import type { RailName, Sale } from '#domain/sale/sale.ts'
import type {
  ChartReader,
  Clock,
  Log,
  LiveFeed,
  MarketReader,
  Random,
  Secret,
} from '#server/ports/runtime.ts'
import type { MailSender } from '#server/ports/mail.ts'
import type { PriceSource } from '#server/ports/price-source.ts'
import type { Rail } from '#server/ports/rail.ts'
import type {
  Authenticator,
  PasswordHasher,
  RateLimits,
  SessionLookup,
} from '#server/ports/security.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** Every collaborator of the server, built once by `buildServices` and handed to whoever needs it. */
export type Services = {
  settings: Settings
  database: Database
  clock: Clock
  random: Random
  log: Log
  /** The applied sale; it changes only at a start. */
  sale: Sale
  passwords: PasswordHasher
  authenticator: Authenticator
  limits: RateLimits
  sessions: SessionLookup
  market: MarketReader
  chart: ChartReader
  /** Books a purchase, in one statement with those that wait at the same moment. */
  bookPurchase(request: PurchaseRequest): Promise<Booking>
  /**
   * Has a purchase look ahead, ask for an address and be booked while few others of its user and
   * its connection do, at this instance. Refuses with `Busy` where too many wait.
   */
  queueForAddress<Result>(
    buyer: { userId: string; connectionHash: Uint8Array },
    work: () => Promise<Result>,
  ): Promise<Result>
  rails: ReadonlyMap<RailName, Rail>
  priceSource: PriceSource
  mailSender: MailSender
  live: LiveFeed
}

/** What use cases need to know of the configuration. */
export type Settings = {
  /** Where links in mails start, without a slash at the end. */
  publicUrl: string
  isSandbox: boolean
  secretKey: Secret
  /** What an operator proves to be one by. */
  operatorToken: Secret
  /** What metrics are asked for with; null: they are for the machine itself. */
  metricsToken: Secret | null
}
