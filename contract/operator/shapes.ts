import { refundReasons, refundStates } from '#domain/settlement/outcome.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { DecimalString, Instant, textLike, trimmedUpTo } from '#contract/values.ts'
import { Id, pageLimit, StatusReason, TransactionStatus } from '#contract/shapes.ts'

/** The objects in operators' calls and replies. Every amount is exact. */

/* ---- What comes in ---- */

export const Limit = pageLimit(20)

export const ItemParams = z.strictObject({ id: z.string() })

/** Which page of a list a query asks for: the `after` of the page before it is its first item. */
export const pageFrom = <Cursor extends z.core.SomeType>(cursor: Cursor) => ({
  after: z.pipe(
    z.optional(cursor),
    z.transform((given) => given ?? null),
  ),
  limit: Limit,
})

/** Only what is in one state; all if left out. */
export const inState = <const State extends string>(states: readonly State[]) =>
  z.pipe(
    z.optional(z.enum([...states, 'all'])),
    z.transform((given) => (given === undefined || given === 'all' ? null : (given as State))),
  )

/** An id that counts up, in digits. */
export const NumberId = (fault: string) =>
  z.pipe(
    textLike(/^\d{1,18}$/, fault),
    z.transform((text: string) => BigInt(text)),
  )

/** Yes or no in a query; an option without a value for the command. */
export const Flag = z._default(
  z.pipe(
    z.enum(['true', 'false'], { error: 'Must be true or false' }),
    z.transform((text) => text === 'true'),
  ),
  false,
)

/** How rows are sent; if left out, `Accept` decides, which a link in a page cannot set. */
export const RowsForm = z.optional(z.enum(['csv', 'json'], { error: 'Must be csv or json' }))

const MOMENT = /^(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/
const DAY_MS = 86_400_000

const MomentText = z.string().check(
  z.refine((text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)), {
    error: 'Must be a day such as 2026-11-22, or an instant such as 2026-11-22T14:00:00Z',
  }),
)

/** A day, which begins at midnight UTC, or an instant in ISO 8601. */
export const Moment = z.pipe(
  MomentText,
  z.transform((text: string) => new Date(text)),
)

/** The end of a day, which is the next midnight UTC, or an instant in ISO 8601. */
export const EndMoment = z.pipe(
  MomentText,
  z.transform((text: string) => new Date(Date.parse(text) + (text.includes('T') ? 0 : DAY_MS))),
)

/** A short reason, for later review. */
export const Reason = (fault: string) => trimmedUpTo(500, fault)

const NAME_FAULT = 'Say who you are: 1 to 100 printable ASCII characters'
export const OperatorName = z
  .string({ error: NAME_FAULT })
  .check(z.trim(), z.regex(/^[\x20-\x7e]{1,100}$/, { error: NAME_FAULT }))

/**
 * The name given with the server's one token, which does not identify its user. `npm run operator`
 * sends the login name. Pausing and resuming are urgent, so they do not require it; nor do people
 * in a session or keys, which have names.
 */
export const OperatorHeaders = z.object({ 'operator-name': z.optional(OperatorName) })

/** Declares an act of operators: a call that changes something and is recorded with their name. */
export function operatorAct<
  const E extends Omit<Endpoint, 'access' | 'method' | 'headers'> & { permission: Permission },
>(declared: E): E & { access: 'operator'; method: 'POST'; headers: typeof OperatorHeaders } {
  return { ...declared, access: 'operator', method: 'POST', headers: OperatorHeaders }
}

/** Declares a reading of operators: a call that changes nothing. */
export function operatorRead<
  const E extends Omit<Endpoint, 'access' | 'method'> & { permission: Permission },
>(declared: E): E & { access: 'operator'; method: 'GET' } {
  return { ...declared, access: 'operator', method: 'GET' }
}

/* ---- What goes out ---- */

/** Masked (`a…@e….com`) for operators who may not see people. */
export const Person = z.object({ id: Id, email: z.string() })

/** A coin that only its gateway knows has its code there as id, and the gateway as chain. */
export const AssetToken = z.object({ id: z.string(), short_name: z.string(), chain: z.string() })

/** A request for an act that waits for a second person. */
export const AskedAct = z.object({
  approval_id: Id,
  act: z.string(),
  /** Null if whoever asked has given no name. */
  asked_by: z.nullable(z.string()),
  asked_date: Instant,
})
export type AskedAct = z.output<typeof AskedAct>

/** A request to mark a refund as paid that ended without that: it may have been sent even so. */
export const EndedMark = z.object({
  ...AskedAct.shape,
  /** The transaction that it names, and where that can be seen. */
  hash: z.string(),
  explorer_url: z.nullable(z.string()),
})
export type EndedMark = z.output<typeof EndedMark>

export const OperatorRefund = z.object({
  receipt_id: Id,
  purchase_id: Id,
  user: Person,
  state: z.enum(refundStates),
  /** Null if neither the sale takes it nor a gateway has; then the amount is in base units. */
  payment_token: z.nullable(AssetToken),
  /**
   * If the sale does not take it, its name on its chain or at its gateway, such as a contract; null
   * if unknown.
   */
  asset: z.nullable(z.string()),
  amount: DecimalString,
  reason: z.enum(refundReasons),
  /** Since when it has been owed. */
  since_date: Instant,
  /** The transaction that brought the money, and the address that received it. */
  receipt_hash: z.string(),
  receipt_explorer_url: z.nullable(z.string()),
  chain: z.string(),
  address: z.string(),
  /** The transaction that paid it back, as an operator recorded it, and when. */
  paid_hash: z.nullable(z.string()),
  paid_explorer_url: z.nullable(z.string()),
  paid_date: z.nullable(Instant),
  /** What of the amount was withheld for the network; null until it is paid. */
  fee: z.nullable(DecimalString),
  /** The open claim that it is in, which pays it: then it is not paid by hand. */
  claim_id: z.nullable(Id),
  /** Whether it is open and its purchase is held: then it is not paid. */
  is_held: z.boolean(),
  /** Requests to mark it as paid that are not done yet, oldest first. */
  asked_acts: z.array(AskedAct),
  /** The newest request to mark it as paid, if it is open and that has ended without being done. */
  ended_mark: z.nullable(EndedMark),
})
export type OperatorRefund = z.output<typeof OperatorRefund>

export const OwedTotal = z.object({
  payment_token: z.nullable(AssetToken),
  /** The payment token's id; for another asset, the chain with its name. */
  asset: z.string(),
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
  stage_id: z.string(),
  /** What was requested, in dollars and in the payment token. */
  usd: DecimalString,
  amount: DecimalString,
  /** The dollars that were credited; zero unless completed. */
  credited_usd: DecimalString,
  credited_amount: DecimalString,
  credited_tokens: DecimalString,
  created_date: Instant,
  expires_date: Instant,
  completed_date: z.nullable(Instant),
})
export type OperatorPurchase = z.output<typeof OperatorPurchase>

export const OperatorAction = z.object({
  /** Its number in the audit log: 1, 2, 3 and so on without gaps. */
  id: z.string(),
  date: Instant,
  /** A person in a session, software with its key, the server's token, or the server itself. */
  kind: z.enum(['person', 'key', 'token', 'server']),
  operator_id: z.nullable(Id),
  /** Their name; with the token, the unverified name that was given; null if none. */
  operator: z.nullable(z.string()),
  address: z.string(),
  act: z.string(),
  purchase_id: z.nullable(Id),
  user_id: z.nullable(Id),
  details: z.record(z.string(), z.string()),
  /** The hash of the row and the one before it, in hexadecimal. */
  hash: z.string(),
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
  /** False while the status does not reflect it yet, which takes only a moment. */
  is_counted: z.boolean(),
})

const Transfer = z.object({
  date: Instant,
  source: z.string(),
  destination: z.string(),
  /** `token`, or the id of a payment token. */
  asset: z.string(),
  /** In whole units; in base units for an asset that neither the sale takes nor a gateway. */
  amount: DecimalString,
})

/** A mail about a purchase. It is dropped if it is out of date, or could not be sent for days. */
const PurchaseMail = z.object({
  kind: z.string(),
  date: Instant,
  sent_date: z.nullable(Instant),
  dropped_date: z.nullable(Instant),
  /** It could not be sent for days; false of one that is out of date. */
  is_given_up: z.boolean(),
  attempts: z.int(),
})

export const PurchaseRecord = z.object({
  ...OperatorPurchase.shape,
  address: z.string(),
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
      reason: z.string(),
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
  mails: z.array(PurchaseMail),
  actions: z.array(OperatorAction),
})
export type PurchaseRecord = z.output<typeof PurchaseRecord>

/** What belongs to one user; a line of the CSV. */
export const Allocation = z.object({
  user_id: Id,
  email: z.string(),
  /** Empty, and the address masked, for whoever may not see people. */
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
