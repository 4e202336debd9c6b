import type { CryptoAmount, Price } from '#domain/money.ts'
import type { RefusedAddress } from '#domain/refunds/address-faults.ts'
import type { RefundBatchState } from '#domain/refunds/claim-states.ts'
import type { PayoutFormat } from '#domain/refunds/payout-formats.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'

/**
 * What a rail knows about sending money out. It makes files for wallets and reads what they sent;
 * it holds no key and sends nothing.
 */
export type Payouts = {
  /**
   * An address for payouts in a payment token as it is written on its chain, or why it cannot be
   * one: of another coin, network or kind, with a wrong checksum, or one that nobody can spend
   * from. A sentence for buyers.
   */
  readAddress(
    paymentToken: PaymentToken,
    text: string,
  ): Promise<{ address: string } | RefusedAddress>
  /**
   * What one transfer costs now, in base units of the payment token itself; null if it cannot be
   * known, as while no node answers, so that the buyer is not charged for it.
   */
  networkFee(paymentToken: PaymentToken): Promise<CryptoAmount | null>
  /**
   * Less than this is not sent by wallets, or not passed on by nodes.
   * @param address Left out: to whatever address.
   */
  dust(paymentToken: PaymentToken, address?: string): CryptoAmount
  /** The files that a batch on a chain can be had as, the best one first. Never empty. */
  formats(chain: string): readonly PayoutFormat[]
  /**
   * Refuses with `Unavailable`, a sentence for operators, where a node has to be asked and does not
   * answer, or the file cannot be made of what the sale holds. The same batch gives the same file
   * each time, so that two of them can never both be paid where the format can make sure (PSBT).
   */
  makeFile(batch: PayoutBatch, format: PayoutFormat): Promise<PayoutFile>
  /**
   * Where the chain shows the payouts: each transfer found belongs to one payout at most, and has
   * exactly its address, asset and amount. What was reverted or replaced is not found.
   * @returns `isWhole` is false while blocks are still being read, as after a start: what is not
   * found may stand there all the same. `head` is the chain's height as the node has it.
   */
  find(
    chain: string,
    payouts: readonly Payout[],
    search: PayoutSearch,
  ): Promise<{ found: readonly FoundPayout[]; isWhole: boolean; head: bigint }>
}

export type PayoutSearch = {
  /** The chain's height when the batch was made: what pays it stands above. */
  sinceHeight: bigint
  /** How far the sale has read the chain: a node with fewer blocks is behind, and is not asked. */
  readHeight: bigint
  /**
   * Transactions that are looked at first: all that operators named, and those that payouts were
   * found in before.
   */
  hashes: readonly string[]
  /**
   * By what a rail knows the sale's own transactions: the batch, whose PSBT may say what is spent,
   * and the hashes that operators named for it. Where it has either, nobody else's transfer of the
   * same amount passes for a payout. Null: anybody's counts, as of what may be paid twice.
   */
  own: { batchId: bigint; named: readonly string[] } | null
  /** By payout: where it was found before. It keeps that transfer for as long as it is there. */
  known: ReadonlyMap<string, { transactionHash: string; index: number }>
  /** True for a transfer that pays a claim which is none of these payouts. */
  isTaken(transactionHash: string, index: number): boolean
}

/**
 * A batch has no more, so that each of its files is one transaction: Ethereum lets one have 2^24
 * gas (EIP-7825), which is 83,000 for each of so many.
 */
export const PAYOUTS_A_BATCH_MAX = 200

/** One transfer to be made. */
export type Payout = {
  /** Of the claim; stands in the files where their format has room for it. */
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
  /** As text; a PSBT is in base64, as wallets take it (BIP 174). */
  text: string
  /** What to mind when a wallet reads it, sentences for operators. */
  note: string
}

export type FoundPayout = {
  id: string
  transactionHash: string
  /**
   * The output's or the log's index; 0 where the transfer is the transaction itself, and from a
   * million on for coins that a contract sent within it.
   */
  index: number
  /** Zero while it waits for a block. */
  confirmations: number
  requiredConfirmations: number
}

/** What rails look up in the sale's own records for payouts. */
export type PayoutRecord = {
  /** Whether an address was ever given out to be paid to, written as on its chain. */
  isOurs(address: string): Promise<boolean>
  /** The price of a coin as the sale sells by it; null if none is fresh. */
  priceOf(symbol: string): Promise<Price | null>
  /** Confirmed receipts of a chain at addresses of a key. Whether they are spent, nodes know. */
  listReceived(chain: string, key: { name: string; fingerprint: string }): Promise<Received[]>
  psbts: {
    /** The one that was made of a batch; null if none was. */
    find(batchId: bigint): Promise<string | null>
    /** Those of other batches of the chain. */
    listOthers(chain: string, batchId: bigint): Promise<OtherPsbt[]>
    /** The lowest index of a key's internal branch that no PSBT has change at. */
    nextChangeIndex(key: { name: string; fingerprint: string }): Promise<number>
    /** Keeps a batch's first one. Gives the one that is kept, whoever made it. */
    keep(made: {
      batchId: bigint
      psbt: string
      key: { name: string; fingerprint: string }
      changeIndex: number
    }): Promise<string>
  }
}

export type OtherPsbt = {
  batchId: bigint
  psbt: string
  state: RefundBatchState
  /** The claims that it pays and its batch has no more: who has signed it can pay them still. */
  leftIds: readonly string[]
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
