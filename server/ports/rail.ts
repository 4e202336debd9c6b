import type { CryptoAmount, Usd } from '#domain/money.ts'
import type { PaymentToken, RailName } from '#domain/sale/sale.ts'
import type { Payouts } from './payouts.ts'
import type { Sweeping } from './sweeping.ts'

/** What takes the payments in payment tokens. Adapters report; they decide nothing. */
export type Rail = {
  name: RailName
  /** A fresh address, never given out before. Throws `Unavailable` if there is none. */
  createAddress(request: AddressRequest): Promise<PaymentAddress>
  /** Left out if even an unpaid address uses something up. */
  addressesAreFree?: true
  /**
   * How many confirmations a payment on one of its chains needs, by its value. Null if nobody knows
   * that: then as many as the dearest payment.
   */
  requiredConfirmations(chain: string, value: Usd | null): number
  /**
   * How long after a purchase's expiry payments that show then count as paid in time, in
   * milliseconds, since nobody knows when they were sent. Left out if that is always known.
   */
  graceMs?(paymentToken: PaymentToken): number
  /** Names of the chains that this rail reads; `read` is called for each separately. */
  chains: readonly string[]
  chainOf(paymentToken: PaymentToken): string
  /**
   * Everything that changed on one chain since `cursor` (null at first). Safe to repeat.
   * @param isAwaited True if somebody waits for the next block: it is read as soon as it is there,
   * however long the pause between readings.
   */
  read(chain: string, cursor: string | null, isAwaited?: boolean): Promise<ChainReading>
  /** The health of a chain as this process reads it; left out if reading cannot fail. */
  health?(chain: string): ChainHealth
  /**
   * Why a payment token cannot be used to pay now, as far as that is known without a request; null
   * if it can. A sentence for operators. Left out if it always can.
   */
  faultOf?(paymentToken: PaymentToken): string | null
  /**
   * The hash of the transaction by which a receipt is recorded, as its chain writes it; null if the
   * rail records it by something else.
   */
  hashOf(transactionHash: string): string | null
  /** Where a person can look at a transfer; null if there is no such place. */
  explorerUrl(chain: string, transactionHash: string): string | null
  /** The smallest payment, as far as it is known; left out if there is none. */
  minimum?(paymentToken: PaymentToken): Promise<Usd | null>
  /** Left out if no webhooks are expected. */
  webhook?: Webhook
  /** Left out if a gateway holds the money: then payouts are recorded by hand. */
  payouts?: Payouts
  /** Left out if payments arrive in a wallet or at a gateway directly. */
  sweeping?: Sweeping
}

/** A webhook proves nothing: it only says what to ask the gateway about. */
export type Webhook = {
  /**
   * Checks the signature over the body as received. Null if it is missing or wrong, and
   * `unreadable` for a signed body that is not of the documented form.
   */
  read(headers: WebhookHeaders, body: Uint8Array): WebhookHint | 'unreadable' | null
  /** Schedules a question about the payment; false if it is not one of the sale’s. */
  follow(hint: WebhookHint): Promise<boolean>
}

export type WebhookHeaders = Readonly<Record<string, string | undefined>>

export type WebhookHint = {
  /** The same each time the event is sent. */
  eventId: string
  paymentId: string
  /** The payment to which this one is a further deposit. */
  parentId: string | null
  /** The purchase that the payment claims to be for. */
  orderId: string | null
}

export type AddressRequest = {
  purchaseId: string
  paymentToken: PaymentToken
  amountDue: CryptoAmount
  /** The price of the purchase in dollars. */
  quotedUsd: Usd
}

export type PaymentAddress = {
  address: string
  /** The gateway's id of the payment, or the purchase's own. */
  paymentId: string
  /** The index under the extended public key; null if addresses are not derived. */
  derivationIndex: number | null
}

export type ChainReading = {
  cursor: string
  height: bigint
  /** The instant up to which everything on the chain is known. */
  readThrough: Date
  transfers: readonly SightedTransfer[]
  /**
   * Everything that left our addresses above a height, and the gas sent to them there: whatever was
   * recorded above it and is not in this list is gone. Left out if nothing was read.
   */
  movements?: { above: bigint; found: readonly SightedMovement[] }
  /** Called once all of it is recorded; left out if that makes no difference. */
  noteStored?(): void
}

export type ChainHealth = {
  /** How long ago the last complete reading was; null before the first. */
  readAgoMs: number | null
  /** Why the last reading failed, a sentence for operators; null if it worked. */
  fault: string | null
}

/** One transfer to an address, in its current state on the chain. */
export type SightedTransfer = {
  transactionHash: string
  /** The output's or the log's index within it. */
  index: number
  address: string
  /** Null if the asset is not one of the sale's payment tokens. */
  paymentTokenId: string | null
  /** What the asset is in that case; left out if nobody knows. */
  foreign?: ForeignAsset
  amount: CryptoAmount
  /** Null while it waits for a block. */
  blockHeight: bigint | null
  /** When it was first seen on the chain, as far as that is known. */
  sentAt: Date
  /** True if `sentAt` is its block's time, and it may have waited for the block long before. */
  mayHaveWaited?: true
  /** True once it was dropped by a reorganisation or replaced. */
  isGone: boolean
  /** Counted by a gateway, which reports no blocks; left out if `blockHeight` is known. */
  confirmations?: number
}

/**
 * What left one of our addresses by a transaction, whoever sent it and wherever to (`out`), or
 * coins that reached one from the account that pays for sweeping (`gas`), which are not a payment.
 */
export type SightedMovement = {
  kind: 'out' | 'gas'
  transactionHash: string
  /** 0 for the transaction itself, 1 + n for its n-th log. */
  index: number
  /** Our address. */
  address: string
  /**
   * Where it went, or came from, as its chain's wallets show it; empty for a transaction that
   * creates a contract.
   */
  counterparty: string
  /** Null if the asset is not one of the sale's payment tokens. */
  paymentTokenId: string | null
  amount: CryptoAmount
  /** What the address paid for the transaction, in the chain's own coin. */
  fee: CryptoAmount
  blockHeight: bigint
  sentAt: Date
}

/** An asset that is not one of the sale's payment tokens. */
export type ForeignAsset = {
  /** Its name on the chain or at the gateway: a contract, `native`, the code of a coin. */
  name: string
  /**
   * Set for a token that anybody can make, with what it calls itself, which proves nothing; null if
   * it does not say. `isHeld`: whether the address held the amount afterwards; null if nobody could
   * ask. Left out for a coin, and for assets that a gateway vouches for.
   */
  token?: { symbol: string | null; isHeld: boolean | null }
}

/** What changed on the simulated chain after a revision. */
export type SandboxReading = {
  height: bigint
  revision: bigint
  transfers: readonly Omit<SightedTransfer, 'index'>[]
}

export type TransferRecord = {
  /**
   * The transfers on a chain that are not gone and are above a height, or wait for a block. After a
   * reorganisation, those that the chain no longer has are reported as gone.
   */
  listAbove(chain: string, height: bigint): Promise<SightedTransfer[]>
  /** How much of each asset each address has received up to a height, without what is gone. */
  sumUpTo(chain: string, height: bigint): Promise<readonly ReceivedSum[]>
}

export type ReceivedSum = {
  address: string
  /** Null if the asset was not one of the sale's payment tokens when it came. */
  paymentTokenId: string | null
  /** What the asset is in that case, as {@link ForeignAsset}; null if nobody knows. */
  name: string | null
  amount: bigint
}
