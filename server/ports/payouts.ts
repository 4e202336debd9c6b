import type { CryptoAmount, Price } from '#domain/money.ts'
import type { RefusedAddress } from '#domain/refunds/address-faults.ts'
import type { RefundBatchState } from '#domain/refunds/claim-states.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import type { KeyIdentity } from './address-book.ts'

/**
 * What a rail knows about sending money out. It makes files for wallets and reads what they sent;
 * it holds no key and sends nothing.
 */
export type Payouts = {
  /**
   * An address for payouts in a payment token as its chain writes it, or why it cannot be used: it
   * is of another coin, network or kind, its checksum is wrong, or nobody can spend from it. A
   * sentence for buyers. It may be one of the sale's own.
   */
  readAddress(
    paymentToken: PaymentToken,
    text: string,
  ): Promise<{ address: string } | RefusedAddress>
  /**
   * What one transfer costs now, in base units of the payment token itself; null if that cannot be
   * known, for example while no node answers, so that the buyer is not charged for it.
   */
  networkFee(paymentToken: PaymentToken): Promise<CryptoAmount | null>
  /** Wallets do not send less than this, or nodes do not relay it, whatever the address. */
  dust(paymentToken: PaymentToken): CryptoAmount
  /** The file formats for a batch on a chain, the best one first. Never empty. */
  formats(chain: string): readonly PayoutFormat[]
  /**
   * Refuses with `Unavailable` and a sentence for operators if a required node does not answer, or
   * if the file cannot be made from what the sale holds. The same batch always gives the same file,
   * so that two can never both be paid if the format can guarantee that (PSBT).
   */
  makeFile(batch: PayoutBatch, format: PayoutFormat): Promise<PayoutFile>
  /**
   * Where the chain shows the payouts: each transfer found belongs to at most one payout, and has
   * exactly its address, asset and amount. Reverted and replaced ones are not found.
   * @param payouts At least one.
   * @returns `isWhole` is false while blocks are still being read, as after a start: then they may
   * contain what is not found. `head` is the chain's height according to the node. `sights` are
   * those of transactions that were named or found, as far as a node has ever shown them. `others`
   * are what came to addresses of payouts that are not found, in the same asset and in another
   * amount.
   */
  find(
    chain: string,
    payouts: readonly Payout[],
    search: PayoutSearch,
  ): Promise<{
    found: readonly FoundPayout[]
    others: readonly OtherAmount[]
    sights: readonly NamedSight[]
    isWhole: boolean
    head: bigint
  }>
  /**
   * The ids of transfers that were paid and are no longer on their chain, as far as a node of at
   * least that height can say.
   */
  findGone(
    chain: string,
    paid: readonly PaidTransfer[],
    readHeight: bigint,
  ): Promise<readonly string[]>
}

/** A transfer that had its confirmations, in the block of that height. */
export type PaidTransfer = {
  id: string
  address: string
  transactionHash: string
  index: number
  height: bigint
}

/** What a chain shows of a transaction that an operator named, or that was found to pay. */
export type NamedSight = {
  hash: string
  /**
   * What it spends, which no two transactions of a chain can: coins, as `hash:index`, or the nonce
   * of an account. So what spends any of it has replaced this transaction.
   */
  spends: readonly string[]
  /**
   * In no block yet, in one, even if it was reverted there, in one without a node that tells what a
   * contract sent there, or in none for ever, as another one has spent the same.
   */
  state: NamedState
  /**
   * Null while nothing has replaced it, and if what did could not be found. It stays if the first
   * one is mined as well, as can happen to what a Safe was asked for: then both have paid.
   */
  replacedBy: string | null
}
export type NamedState = 'waiting' | 'mined' | 'unread' | 'replaced'

export type PayoutSearch = {
  /**
   * The chain's height when the batch was made: transfers that pay it are above, unless a
   * reorganisation has put a named transaction lower.
   */
  sinceHeight: bigint
  /** How far the sale has read the chain: a node with fewer blocks is behind, and is not asked. */
  readHeight: bigint
  /**
   * Transactions that are looked at first: all that operators named, and those in which payouts
   * were found before.
   */
  hashes: readonly string[]
  /** True: it is looked for now, even if the same was looked for a moment ago. */
  isAnyTime?: boolean
  /** Each once: the transactions whose fate is to be known, as `sights` of this batch. */
  followed: readonly string[]
  /**
   * How a rail recognises the sale's own transactions: by the batch, whose PSBT may say what is
   * spent, and by the hashes that operators named for it. If it has either, nobody else's transfer
   * of the same amount passes for a payout. Null: anybody's transfer counts, as when looking for
   * double payments.
   */
  own: { batchId: bigint; named: readonly string[] } | null
  /**
   * By hash: what was seen before of transactions that were named, or found to pay. What has
   * replaced a named one counts as named.
   */
  sights: ReadonlyMap<string, NamedSight>
  /** By payout: where it was found before. It keeps that transfer as long as that exists. */
  known: ReadonlyMap<string, { transactionHash: string; index: number }>
  /** True for a transfer that pays a claim which is not one of these payouts. */
  isTaken(transfer: TransferName & { amount: bigint }): boolean
}

/**
 * The most in a batch, so that each of its files is one transaction: Ethereum allows one 2^24 gas
 * (EIP-7825), which is 83,000 for each payout.
 */
export const PAYOUTS_A_BATCH_MAX = 200

export type Payout = {
  /** The claim's; included in the files if their format has room for it. */
  id: string
  address: string
  paymentToken: PaymentToken
  /** In base units, without the network's fee. */
  amount: CryptoAmount
}

export type PayoutBatch = {
  id: bigint
  chain: string
  createdAt: Date
  payouts: readonly Payout[]
}

export type PayoutFile = {
  name: string
  mediaType: string
  /** As text; a PSBT is in base64, which wallets accept (BIP 174). */
  text: string
  /** What to look out for when a wallet reads it, in sentences for operators. */
  note: string
}

/** What a transfer is recognised by, in whichever block its transaction is mined. */
export type TransferName = {
  transactionHash: string
  address: string
  paymentTokenId: string
  /**
   * The output's. On EVM chains the first that the transaction sends to this address in this asset
   * has 0, the next 1.
   */
  index: number
}

export type FoundPayout = {
  id: string
  transactionHash: string
  /** See `TransferName`. */
  index: number
  /** Zero while it waits for a block. */
  confirmations: number
  requiredConfirmations: number
}

/** What came to a payout's address and does not pay it, as its amount is another one. */
export type OtherAmount = {
  id: string
  transactionHash: string
  index: number
  amount: CryptoAmount
}

/** What rails look up in the sale's own records for payouts. */
export type PayoutRecord = {
  /** The price of a coin at which the sale sells; null if none is fresh. */
  priceOf(symbol: string): Promise<Price | null>
  /** Confirmed receipts on a chain at addresses of a key. Nodes know whether they are spent. */
  listReceived(chain: string, key: KeyIdentity): Promise<Received[]>
  /** Coins of chains that log none, as the blocks show them that are read for payments. */
  coins: {
    /** The addresses of all claims that are followed on a chain, in lower case. */
    listPayees(chain: string): Promise<ReadonlySet<string>>
    /** Notes transfers to them, before the reading of their blocks is recorded. */
    keep(chain: string, transfers: readonly CoinTransfer[]): Promise<void>
    /**
     * What came to payouts' addresses above a height, of one sender or of all: exactly their
     * amounts, and the newest of others. It may have left its chain since.
     */
    list(
      chain: string,
      payouts: readonly Payout[],
      search: { sinceHeight: bigint; from: string | null },
    ): Promise<CoinTransfer[]>
  }
  psbts: {
    /** The PSBT that was made for a batch; null if none was. */
    find(batchId: bigint): Promise<string | null>
    /** Those of other batches on the chain than the one of these claims. */
    listOthers(chain: string, batchId: bigint, claimIds: readonly string[]): Promise<OtherPsbt[]>
    /** The lowest index of a key's internal branch that no PSBT uses for change. */
    nextChangeIndex(key: KeyIdentity): Promise<number>
    /** Stores a batch's first PSBT. Returns the one that is stored, whoever made it. */
    keep(made: {
      batchId: bigint
      psbt: string
      key: KeyIdentity
      changeIndex: number
    }): Promise<string>
  }
}

/** Coins that a transaction itself carries; the addresses are in lower case. */
export type CoinTransfer = {
  hash: string
  from: string
  to: string
  amount: CryptoAmount
  height: bigint
}

export type OtherPsbt = {
  batchId: bigint
  psbt: string
  state: RefundBatchState
  /**
   * Whether it pays one of the claims, or a rejected one to the same money, that has left its
   * batch: whoever has signed it can still pay that.
   */
  hasLost: boolean
}

/** What was received in one output, at an address that was derived for it. */
export type Received = {
  transactionHash: string
  index: number
  blockHeight: bigint
  derivationIndex: number
  address: string
  amount: CryptoAmount
}
