import type { Booking, PurchaseRequest } from '#domain/sale/booking.ts'
import type { LiveChange } from '#domain/live-change.ts'
import type { Market } from '#domain/sale/market.ts'
import type { Sale, RailName, PaymentToken } from '#domain/sale/sale.ts'
import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { ChartPeriod, PricePoint } from '#domain/sale/price.ts'
import type { SourcedPrice } from '#domain/sale/price-quorum.ts'
import type { Database } from './database/tables/tables.ts'

/** Every collaborator of the server, built once in `main.ts` and handed to whoever needs it. */
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
  inAddressTurn<Result>(
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

/** A value that prints as `[secret]`, so that no log holds it. */
export type Secret = { reveal(): string }

export type Clock = { now(): Date }

export type Random = {
  /** A version 4 UUID. */
  id(): string
  /** 256 unguessable bits as base64url. */
  token(): string
}

type LogMethod = (facts: Record<string, unknown>, message: string) => void
export type Log = { debug: LogMethod; info: LogMethod; warn: LogMethod; error: LogMethod }

export type PasswordHasher = {
  /** An argon2id hash as a PHC string. Refuses with `Busy` when too many wait. */
  hash(password: string): Promise<string>
  /** False for a wrong password; takes the same time where `hash` is null. */
  verify(hash: string | null, password: string): Promise<boolean>
}

export type Authenticator = {
  /** A new secret of an app: as people type it, as an `otpauth:` link, and as it is stored. */
  makeSecret(account: { userId: string; email: string; issuer: string }): {
    secret: string
    uri: string
    sealed: Uint8Array
  }
  /**
   * The time step that a code of six digits belongs to; null where it is none of these minutes.
   * Throws where the secret was sealed for another user, or with another key of the server.
   */
  stepOf(given: { userId: string; sealed: Uint8Array; code: string; now: Date }): bigint | null
}

/** What is tried, and by which key its tries are counted. */
export type RateRule =
  | 'register_by_address'
  | 'register_taken_by_address'
  | 'login_by_address'
  | 'login_by_account_and_address'
  | 'login_by_account'
  | 'login_by_account_and_network'
  | 'code_by_login'
  | 'code_by_login_and_day'
  | 'code_by_user'
  | 'code_by_user_and_day'
  | 'refresh_by_address'
  | 'forgot_by_address'
  | 'forgot_cooldown'
  | 'forgot_by_account'
  | 'verification_cooldown'
  | 'verification_by_user'
  | 'link_by_address'
  | 'link_by_user'
  | 'password_by_user'
  | 'password_by_user_and_day'
  | 'operator_by_address'
  | 'operator_wrong_by_address'
  | 'export_by_user'
  | 'webhook_by_address'
  | 'webhook_wrong_by_address'

export type RateLimits = {
  /**
   * Counts one try against a named rule for a key (an address, an account). Throws the
   * `TooManyRequests` refusal, with the time to wait, once the rule's number is reached.
   */
  take(rule: RateRule, key: string): Promise<void>
  /** Forgets the tries, after a success. */
  clear(rule: RateRule, key: string): Promise<void>
  /** Takes one try back that was no guess; what others tried stays counted. */
  giveBack(rule: RateRule, key: string): Promise<void>
}

/** Who makes a call, proved by an access token, with what every use case may need of the user. */
export type Caller = {
  userId: string
  sessionId: string
  user: { createdAt: Date; isEmailVerified: boolean; requiresPasswordChange: boolean }
}

export type SessionLookup = {
  /** Whose open session an access token belongs to; null where it has expired or ended. */
  find(accessToken: string): Promise<Caller | null>
}

/** The state of the sale. */
export type MarketReader = {
  /**
   * As last read: at most a second old, and from after the last change that this instance has made
   * or heard of, so that most calls read nothing.
   */
  read(): Promise<Market>
  /**
   * By a reading that begins after the question: it knows of all that was committed before, at
   * whatever instance. Those who ask during one share the next.
   */
  readNow(): Promise<Market>
  /** Makes the next reading a fresh one, after a change. */
  forget(): void
}

/** The price charts as last read, so that everybody who asks costs no more than one who does. */
export type ChartReader = {
  read(period: ChartPeriod): Promise<readonly PricePoint[]>
}

/** What takes the payments of payment tokens. Adapters report; they decide nothing. */
export type Rail = {
  name: RailName
  /** A fresh address, never given before. Throws `Unavailable` where there is none to be had. */
  createAddress(request: AddressRequest): Promise<PaymentAddress>
  /** Left out where an address that nobody will pay to has used up something. */
  addressesAreFree?: true
  /** How many confirmations a payment needs that is worth so much. */
  requiredConfirmations(paymentToken: PaymentToken, worth: Usd): number
  /** Names of the chains that this rail reads; `read` is called for each by itself. */
  chains: readonly string[]
  /** Which of `chains` carries a payment token. */
  chainOf(paymentToken: PaymentToken): string
  /** Everything that changed on one chain since `cursor` (null at first). Safe to repeat. */
  read(chain: string, cursor: string | null): Promise<ChainReading>
  /** How well a chain is read by this process; left out where nothing keeps it from reading. */
  health?(chain: string): ChainHealth
  /**
   * Why a payment token cannot be paid with now, a sentence for operators; null where it can, as
   * far as that is known without asking anybody. Left out where it always can.
   */
  faultOf?(paymentToken: PaymentToken): string | null
  /** Where a person can look at a transfer; null where there is no such place. */
  explorerUrl(chain: string, transactionHash: string): string | null
  /** The least that it can take, as far as it knows; left out where it takes everything. */
  minimum?(paymentToken: PaymentToken): Promise<Usd | null>
  /** Reads calls that tell of payments; left out where nobody makes any. */
  webhook?: Webhook
}

/**
 * What a gateway tells by itself. It proves nothing: it only says what to ask the gateway about.
 */
export type Webhook = {
  /**
   * Checks the signature over the body as it came. Null where it is missing or wrong, and
   * `unreadable` for a signed body that is not of the documented form.
   */
  read(headers: WebhookHeaders, body: Uint8Array): WebhookHint | 'unreadable' | null
  /**
   * Remembers to ask about the payment at once; false where no payment of the sale is concerned.
   */
  follow(hint: WebhookHint): Promise<boolean>
}

export type WebhookHeaders = Readonly<Record<string, string | undefined>>

export type WebhookHint = {
  /** The same each time that the same event is told. */
  eventId: string
  paymentId: string
  /** The payment that this one is a further deposit to. */
  parentId: string | null
  /** The purchase that the payment is said to be for. */
  orderId: string | null
}

export type AddressRequest = {
  purchaseId: string
  paymentToken: PaymentToken
  amountDue: CryptoAmount
  /** What `amountDue` was quoted for. */
  worth: Usd
}

export type PaymentAddress = {
  address: string
  /** The gateway's id of the payment, or the purchase's own. */
  paymentId: string
  /** The index under the extended public key; null where addresses are not derived. */
  derivationIndex: number | null
}

export type ChainReading = {
  cursor: string
  height: bigint
  /** The instant up to which everything on the chain is known. */
  readThrough: Date
  transfers: readonly SightedTransfer[]
}

export type ChainHealth = {
  /** How long ago a reading learnt all there was to learn; null where none has yet. */
  readAgoMs: number | null
  /** Why the last reading did not, a sentence for operators; null where it did. */
  fault: string | null
}

/** One transfer to an address, as the chain tells of it now. */
export type SightedTransfer = {
  transactionHash: string
  /** The output's or the log's index within it. */
  index: number
  address: string
  /** Null where the asset is none of the sale's payment tokens. */
  paymentTokenId: string | null
  amount: CryptoAmount
  /** Null while it waits for a block. */
  blockHeight: bigint | null
  /** When it first showed on the chain, as far as the chain tells. */
  sentAt: Date
  /** True once it was dropped by a reorganisation or replaced. */
  isGone: boolean
  /** What a gateway counts, which tells of no blocks; left out where `blockHeight` says it. */
  confirmations?: number
}

/** Where prices come from. Throws `Unavailable` where there are none. */
export type PriceSource = {
  /** Dollars for one whole unit, by symbol; a symbol without a price is left out. */
  fetchPrices(paymentTokens: readonly PaymentToken[]): Promise<ReadonlyMap<string, SourcedPrice>>
}

export type Mail = {
  /** The same at each try, so that a mailbox can tell a repeat. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** The longest that handing one mail over may take, whatever the mail server does. */
export const MAIL_WITHIN_MS = 60_000

export type MailSender = {
  /**
   * Hands one mail over, once. Throws `Unavailable` where that was not possible, and where it is
   * not known whether it was: then the next try has the same id, by which mailboxes tell a repeat.
   * Breaks off where `signal` says so.
   */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

export type LiveFeed = {
  /** Calls back on each committed change, of this or any other instance. Returns the way out. */
  subscribe(listener: (change: LiveChange) => void): () => void
  /** Calls back when changes may have been missed: whoever relies on them has to look again. */
  onGap(listener: () => void): () => void
  /** Tells the listeners of this instance alone, of what each instance notices by itself. */
  tellHere(change: LiveChange): void
}

/**
 * A call to another server. Throws `Unavailable`, which never names more of the address than its
 * host, where no answer comes in time or it is too large.
 */
export type Outgoing = (call: {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  withinMs: number
  bytesMax: number
}) => Promise<{ status: number; header(name: string): string | null; text: string }>

/** The outside world did not do its part; worth trying again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** Nothing is wrong: what is asked for takes its time, or its time has not come. */
export class NotYet extends Unavailable {}
