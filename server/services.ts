import type { BookedPurchase, RequotablePurchase } from '#domain/sale/booking.ts'
import type { RailName, Sale } from '#domain/sale/sale.ts'
import type {
  ChartReader,
  Clock,
  Log,
  LiveFeed,
  MarketReader,
  Random,
  Secret,
  VisitCounter,
} from '#server/ports/runtime.ts'
import type { MailSender } from '#server/ports/mail.ts'
import type { DeliveryChain } from '#server/ports/claims.ts'
import type { PriceSource } from '#server/ports/price-source.ts'
import type { Wallets } from '#server/ports/wallets.ts'
import type { ProofTrees } from '#server/ports/trees.ts'
import type { DistributionFiles } from '#server/ports/distribution-files.ts'
import type { MakeTree } from '#server/ports/trees.ts'
import type { WebhookSender, WebhookSigner } from '#server/ports/webhooks.ts'
import type { Rail } from '#server/ports/rail.ts'
import type { SaleFiles } from '#server/ports/sale-files.ts'
import type {
  Authenticator,
  Passkeys,
  PasswordHasher,
  OperatorLookup,
  RateLimits,
  SessionLookup,
} from '#server/ports/security.ts'
import type { StoredAccount } from '#server/database/books/ledger.ts'
import type { PageQuestion, StoredPage } from '#server/database/purchases/transaction-pages.ts'
import type { Database, NamedStatements } from '#server/database/tables/tables.ts'

/** Every collaborator of the server, built once by `buildServices`. */
export type Services = {
  settings: Settings
  database: Database
  /** For frequent reads; everything else uses `database`. */
  statements: NamedStatements
  clock: Clock
  random: Random
  log: Log
  /**
   * The applied sale. It changes while the server runs, together with `saleFileId` and `rails`, so
   * read it at the moment of use. A copy of the services keeps the one of its moment: each call and
   * each step of a worker gets one, so that it sees one sale from beginning to end.
   */
  sale: Sale
  /**
   * Of the applied sale file. What is bought by another one is not booked. `NO_SALE_FILE` once a
   * newer version has migrated the database.
   */
  saleFileId: bigint
  saleFiles: SaleFiles
  /**
   * Goes over to the sale file that is applied by now, wherever that was done. Returns a copy of
   * the services as they are then. Where the file cannot be followed here nothing changes, and
   * nothing is sold by this instance until it can.
   */
  followSale(): Promise<Services>
  passwords: PasswordHasher
  authenticator: Authenticator
  /** Of operators. */
  passkeys: Passkeys
  limits: RateLimits
  sessions: SessionLookup
  operators: OperatorLookup
  /** A user with balances; null if there is none, or the account was erased. */
  readAccount(userId: string): Promise<StoredAccount | null>
  readTransactions(question: PageQuestion): Promise<StoredPage>
  market: MarketReader
  chart: ChartReader
  /**
   * Books a purchase, in one statement with others that wait at the same moment: by its terms, or
   * by those that it is quoted then where the stage's price has moved meanwhile.
   */
  bookPurchase(request: RequotablePurchase): Promise<BookedPurchase>
  /**
   * Runs `work`, which gets an address and books a purchase, while few others of the same user and
   * connection do at this instance. Refuses with `Busy` if too many wait.
   */
  queueForAddress<Result>(
    buyer: { userId: string; connectionHash: Uint8Array },
    work: () => Promise<Result>,
  ): Promise<Result>
  rails: ReadonlyMap<RailName, Rail>
  /** By chain id: every chain that tokens could be delivered on, as it has nodes. */
  deliveryChains: ReadonlyMap<number, DeliveryChain>
  /** Of the chain that tokens are delivered on. */
  wallets: Wallets
  priceSource: PriceSource
  mailSender: MailSender
  webhookSender: WebhookSender
  webhookSigner: WebhookSigner
  proofTrees: ProofTrees
  makeTree: MakeTree
  distributionFiles: DistributionFiles
  live: LiveFeed
  visits: VisitCounter
}

/** The settings that use cases need. */
export type Settings = {
  /** The base of links in mails, without a slash at the end. */
  publicUrl: string
  isSandbox: boolean
  /** Of this program. */
  version: string
  secretKey: Secret
  operatorToken: Secret
  /** The bearer token for metrics; null: only direct requests of this machine get them. */
  metricsToken: Secret | null
}
