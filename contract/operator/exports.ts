import * as z from 'zod/mini'

import { refundReasons, refundStates } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant } from '#contract/values.ts'
import { Id, StatusReason, TransactionStatus } from '#contract/shapes.ts'
import { RowsForm, operatorRead } from './shapes.ts'

const Day = z.iso.date({ error: 'Must be a day such as 2026-11-22' })

/** Lines of the exports. A field without a value is null in JSON and empty in CSV. */

/**
 * The id of a payment token, in whose whole units amounts are; or of an asset that the sale does
 * not take the chain with a contract or `native`, in base units, or the gateway with its code, in
 * whole units: `eip155:1/0x…`, `nowpayments/xmr`.
 */
const ExportedAsset = z.string()

const ExportedPurchase = z.object({
  id: Id,
  user_id: Id,
  email: z.string(),
  status: TransactionStatus,
  status_reason: z.nullable(StatusReason),
  /** Since when it has this status and reason: of one that was undone, when that was. */
  status_date: Instant,
  stage_id: z.string(),
  payment_token_id: z.string(),
  chain: z.string(),
  address: z.string(),
  /** What was requested, in dollars and in the payment token. */
  usd: DecimalString,
  amount: DecimalString,
  /** The locked prices: dollars for one token, and for one whole unit of the payment token. */
  token_price: DecimalString,
  payment_token_price: DecimalString,
  /** Zero unless completed. */
  credited_usd: DecimalString,
  credited_amount: DecimalString,
  credited_base_tokens: DecimalString,
  credited_bonus_tokens: DecimalString,
  terms_date: z.string(),
  created_date: Instant,
  expires_date: Instant,
  /** Null unless it is completed now. */
  completed_date: z.nullable(Instant),
})

const ExportedRefund = z.object({
  receipt_id: Id,
  purchase_id: Id,
  user_id: Id,
  email: z.string(),
  /** `paid_twice`: sent once more for a claim, or for one that was rejected. */
  state: z.enum([...refundStates, 'paid_twice']),
  payment_token_id: z.nullable(z.string()),
  asset: ExportedAsset,
  /** What is or was owed; zero where it was paid twice. */
  amount: DecimalString,
  /**
   * What was withheld of the amount for the network, as estimated when it was claimed, and what was
   * sent; null until it is paid.
   */
  fee: z.nullable(DecimalString),
  paid_amount: z.nullable(DecimalString),
  reason: z.enum(refundReasons),
  since_date: Instant,
  chain: z.string(),
  receipt_hash: z.string(),
  address: z.string(),
  paid_hash: z.nullable(z.string()),
  /** Of what was paid twice, when it was found. */
  paid_date: z.nullable(Instant),
  /** Since when its chain no longer has the transaction; null while it has, or was not asked. */
  gone_date: z.nullable(Instant),
})

const ExportedReceipt = z.object({
  id: Id,
  purchase_id: Id,
  chain: z.string(),
  transaction_hash: z.string(),
  output_index: z.int(),
  payment_token_id: z.nullable(z.string()),
  asset: ExportedAsset,
  amount: DecimalString,
  /** What the ledger holds of it. */
  booked_amount: DecimalString,
  /** Whether a reorganisation has removed it. */
  is_gone: z.boolean(),
  confirmations: z.int(),
  required_confirmations: z.int(),
  seen_date: Instant,
  /**
   * What a token and the payment token cost when it was first seen, or the payment token later, if
   * it had no price then: late money and a surplus are credited at these if they give fewer tokens
   * than the locked prices. Null if nothing was on sale, or if the payment token got no price
   * before the receipt was confirmed.
   */
  market_token_price: z.nullable(DecimalString),
  market_payment_token_price: z.nullable(DecimalString),
})

const ExportedUnmatched = z.object({
  chain: z.string(),
  transaction_hash: z.string(),
  output_index: z.int(),
  address: z.string(),
  payment_token_id: z.nullable(z.string()),
  asset: ExportedAsset,
  amount: DecimalString,
  /** Whether a reorganisation has removed it, or another transaction has replaced it. */
  is_gone: z.boolean(),
  seen_date: Instant,
  /** When an operator put it away in the inbox, and why; null while nobody has. */
  closed_date: z.nullable(Instant),
  closed_reason: z.nullable(z.string()),
})

const ExportedTransfer = z.object({
  id: z.string(),
  date: Instant,
  /** The purchase or reward that moved it; null for a stage's supply. */
  cause_id: z.nullable(Id),
  user_id: z.nullable(Id),
  source: z.string(),
  destination: z.string(),
  /** `token`, or as in the other exports. */
  asset: ExportedAsset,
  amount: DecimalString,
})

const ExportedRelease = z.object({
  user_id: Id,
  email: z.string(),
  /** Empty for whoever may not see people; the email addresses of exports are masked then. */
  name: z.string(),
  /** How many calendar months after the start of releases. */
  month: z.int(),
  /** Null while the start is not set. */
  date: z.nullable(Instant),
  tokens: DecimalString,
  /** This release and all before it. */
  released_tokens: DecimalString,
})

/**
 * Everything stored of one kind, streamed; each export is a snapshot, and reading it is recorded.
 */
export const exportsContract = {
  exportPurchases: operatorRead({
    path: '/operator/exports/purchases',
    permission: 'purchases.export',
    summary: 'Exports the purchases made in a range of days, ordered by status and time.',
    query: z.strictObject({
      form: RowsForm,
      /** The first and last day on which they were made, in UTC, whenever they were completed. */
      from: z.optional(Day),
      to: z.optional(Day),
    }),
    rows: ExportedPurchase,
    errors: ['Busy'],
  }),
  exportRefunds: operatorRead({
    path: '/operator/exports/refunds',
    permission: 'purchases.export',
    summary:
      'Exports every refund, owed and paid, longest owed first, and then what was paid twice.',
    query: z.strictObject({ form: RowsForm }),
    rows: ExportedRefund,
    errors: ['Busy'],
  }),
  exportReceipts: operatorRead({
    path: '/operator/exports/receipts',
    permission: 'purchases.export',
    summary:
      'Exports every transfer that reached a purchase’s address, whatever became of it, but for ' +
      'tokens that the sale does not take.',
    query: z.strictObject({ form: RowsForm }),
    rows: ExportedReceipt,
    errors: ['Busy'],
  }),
  exportUnmatched: operatorRead({
    path: '/operator/exports/unmatched',
    permission: 'purchases.export',
    summary:
      'Exports every transfer to an address of the sale that belongs to no purchase, also those ' +
      'that were put away in the inbox, with the reason.',
    query: z.strictObject({ form: RowsForm }),
    rows: ExportedUnmatched,
    errors: ['Busy'],
  }),
  exportLedger: operatorRead({
    path: '/operator/exports/ledger',
    permission: 'purchases.export',
    summary: 'Exports every transfer of the ledger, in the order they were written.',
    query: z.strictObject({ form: RowsForm }),
    rows: ExportedTransfer,
    errors: ['Busy'],
  }),
  exportReleases: operatorRead({
    path: '/operator/exports/releases',
    permission: 'allocations.export',
    summary:
      'Exports whose tokens are released when: a line for each release of each owner. Empty if ' +
      'the sale has no schedule.',
    query: z.strictObject({ form: RowsForm }),
    rows: ExportedRelease,
    errors: ['Busy'],
  }),
}
