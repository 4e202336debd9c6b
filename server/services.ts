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

/** Every collaborator of the server, built once by `buildServices`. */
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
  /** Books a purchase, in one statement with others that wait at the same moment. */
  bookPurchase(request: PurchaseRequest): Promise<Booking>
  /**
   * Runs `work`, which gets an address and books a purchase, while few others of the same user and
   * connection do at this instance. Refuses with `Busy` if too many wait.
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

/** The settings that use cases need. */
export type Settings = {
  /** The base of links in mails, without a slash at the end. */
  publicUrl: string
  isSandbox: boolean
  secretKey: Secret
  /** The bearer token of operators. */
  operatorToken: Secret
  /** The bearer token for metrics; null: only direct requests of this machine get them. */
  metricsToken: Secret | null
}
