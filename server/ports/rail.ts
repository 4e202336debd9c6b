import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { PaymentToken, RailName } from '#domain/sale/sale.ts'

/** What takes the payments of payment tokens. Adapters report; they decide nothing. */
export type Rail = {
  name: RailName
  /** A fresh address, never given before. Throws `Unavailable` where there is none to be had. */
  createAddress(request: AddressRequest): Promise<PaymentAddress>
  /** Left out where an address that nobody will pay to has used up something. */
  addressesAreFree?: true
  /** How many confirmations a payment needs that is worth so much. */
  requiredConfirmations(paymentToken: PaymentToken, value: Usd): number
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
  quotedUsd: Usd
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
