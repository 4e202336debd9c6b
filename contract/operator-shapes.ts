import { refundReasons } from '#domain/settlement/outcome.ts'
import * as z from 'zod/mini'
import { DecimalString } from './amounts.ts'
import { Id, pageLimit, StatusReason, TransactionStatus } from './shapes.ts'
import { Instant } from './instant.ts'

/** The objects that operators' calls take and reply. Every amount is exact. */

/* ---- What comes in ---- */

/** How many items a page has. */
export const Limit = pageLimit(20)

/** Yes or no in an address; an option without a value for the command. */
export const Flag = z._default(
  z.pipe(
    z.enum(['true', 'false'], { error: 'Must be true or false' }),
    z.transform((text) => text === 'true'),
  ),
  false,
)

/** A short reason, for later review. */
export function Reason(fault: string) {
  return z
    .string({ error: fault })
    .check(
      z.trim(),
      z.minLength(1, { error: fault }),
      z.maxLength(500, { error: 'Must be at most 500 characters' }),
    )
}

const NAME_FAULT = 'Say who you are: 1 to 100 printable ASCII characters'
export const OperatorName = z
  .string({ error: NAME_FAULT })
  .check(z.trim(), z.regex(/^[\x20-\x7e]{1,100}$/, { error: NAME_FAULT }))

/**
 * The name that the operator gives: there is one token for all of them. `npm run operator` sends
 * the login name. To pause and to resume are urgent, so that it may be left out there.
 */
export const OperatorHeaders = z.object({ 'operator-name': OperatorName })

/* ---- What goes out ---- */

const Person = z.object({ id: Id, email: z.string() })

const AssetToken = z.object({ id: z.string(), short_name: z.string(), chain: z.string() })

export const OperatorRefund = z.object({
  receipt_id: Id,
  purchase_id: Id,
  user: Person,
  /** `uncovered`: paid back for money that a reorganisation has taken away since. */
  state: z.enum(['open', 'paid', 'uncovered']),
  /** Null where it is none of the sale's; then the amount is in base units. */
  payment_token: z.nullable(AssetToken),
  amount: DecimalString,
  reason: z.enum(refundReasons),
  /** Since when it is owed. */
  since_date: Instant,
  /** The transaction by which the money came, and the address that it came to. */
  receipt_hash: z.string(),
  chain: z.string(),
  address: z.string(),
  /** The transaction that paid it back, as an operator recorded it, and when. */
  paid_hash: z.nullable(z.string()),
  paid_date: z.nullable(Instant),
})
export type OperatorRefund = z.output<typeof OperatorRefund>

/** What is owed back in one asset, in all. */
export const OwedTotal = z.object({
  payment_token: z.nullable(AssetToken),
  amount: DecimalString,
  count: z.int(),
})
export type OwedTotal = z.output<typeof OwedTotal>

export const OperatorPurchase = z.object({
  id: Id,
  user: Person,
  status: TransactionStatus,
  status_reason: z.nullable(StatusReason),
  payment_token: AssetToken,
  address: z.string(),
  /** What was asked for. */
  usd: DecimalString,
  amount: DecimalString,
  /** What was credited for; zero unless completed. */
  credited_usd: DecimalString,
  credited_amount: DecimalString,
  credited_tokens: DecimalString,
  created_date: Instant,
  expires_date: Instant,
  completed_date: z.nullable(Instant),
})
export type OperatorPurchase = z.output<typeof OperatorPurchase>

export const OperatorAction = z.object({
  id: z.string(),
  date: Instant,
  /** The name that the operator gave; null if none. */
  operator: z.nullable(z.string()),
  /** Where the call came from. */
  address: z.string(),
  /** The name of the call. */
  act: z.string(),
  purchase_id: z.nullable(Id),
  user_id: z.nullable(Id),
  details: z.record(z.string(), z.string()),
})
export type OperatorAction = z.output<typeof OperatorAction>

const Receipt = z.object({
  id: Id,
  state: z.enum(['seen', 'confirmed', 'gone']),
  payment_token: z.nullable(AssetToken),
  amount: DecimalString,
  chain: z.string(),
  hash: z.string(),
  index: z.int(),
  confirmations: z.int(),
  required_confirmations: z.int(),
  seen_date: Instant,
  explorer_url: z.nullable(z.string()),
})

const Transfer = z.object({
  date: Instant,
  source: z.string(),
  destination: z.string(),
  /** `token`, or the id of a payment token. */
  asset: z.string(),
  /** In whole units; in base units of an asset that the sale does not take. */
  amount: DecimalString,
})

/** One purchase with everything that was recorded of it. */
export const PurchaseRecord = z.object({
  ...OperatorPurchase.shape,
  stage_id: z.string(),
  rail: z.string(),
  payment_id: z.string(),
  /** Dollars for one token, and for one whole unit of the payment token. */
  token_price: DecimalString,
  payment_token_price: DecimalString,
  /** What is still to be sent. */
  due_amount: DecimalString,
  /** Tokens that are held for it. */
  held_tokens: DecimalString,
  receipts: z.array(Receipt),
  refunds: z.array(OperatorRefund),
  marks: z.array(
    z.object({
      kind: z.enum(['held', 'released', 'failed']),
      date: Instant,
      reason: z.nullable(z.string()),
    }),
  ),
  history: z.array(
    z.object({
      status: TransactionStatus,
      status_reason: z.nullable(StatusReason),
      date: Instant,
    }),
  ),
  ledger: z.array(Transfer),
  actions: z.array(OperatorAction),
})
export type PurchaseRecord = z.output<typeof PurchaseRecord>

/** What belongs to one user; a line of the CSV. */
export const Allocation = z.object({
  user_id: Id,
  email: z.string(),
  name: z.string(),
  base_tokens: DecimalString,
  bonus_tokens: DecimalString,
  total_tokens: DecimalString,
})
export type Allocation = z.output<typeof Allocation>

export const UserState = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  is_email_verified: z.boolean(),
  requires_password_change: z.boolean(),
  has_two_factor: z.boolean(),
  signup_date: Instant,
})
export type UserState = z.output<typeof UserState>
