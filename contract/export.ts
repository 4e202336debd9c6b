import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DecimalString, Instant, WireAmount } from './values.ts'
import { Release } from './delivery/releases.ts'
import { Id, StatusReason, Transaction, TransactionStatus, User } from './shapes.ts'

const Profile = z.object({
  ...User.shape,
  /** The user through whose link this one came. */
  referred_by: z.nullable(Id),
  requires_password_change: z.boolean(),
})

const SessionRecord = z.object({
  id: Id,
  device: z.string(),
  address: z.nullable(z.string()),
  user_agent: z.string(),
  started_date: Instant,
  last_used_date: Instant,
  ended_date: z.nullable(Instant),
})

/** Devices and networks are stored as hashes, so only the times can be exported. */
const LoginPlaceRecord = z.object({ first_used_date: Instant, last_used_date: Instant })

const LinkRecord = z.object({
  purpose: z.string(),
  created_date: Instant,
  expires_date: Instant,
  /** When it was used, or made void by a newer one. */
  closed_date: z.nullable(Instant),
})

const MailRecord = z.object({
  kind: z.string(),
  created_date: Instant,
  sent_date: z.nullable(Instant),
  /** What it was about: ids, and amounts in base units. */
  about: z.record(z.string(), z.string()),
})

const StatusRecord = z.object({
  transaction_id: Id,
  status: TransactionStatus,
  status_reason: z.nullable(StatusReason),
  date: Instant,
})

const LedgerRecord = z.object({
  transaction_id: z.nullable(Id),
  source: z.string(),
  destination: z.string(),
  /** `token`, or the id of a payment token. */
  asset: z.string(),
  /** In whole units; in base units for an asset that neither the sale takes nor a gateway. */
  amount: DecimalString,
  date: Instant,
})

const RefundRecord = z.object({
  transaction_id: Id,
  receipt_id: Id,
  /** Null for an asset that the sale does not take. */
  payment_token_id: z.nullable(z.string()),
  /** As the ledger names it. */
  asset: z.string(),
  /** In whole units; in base units for an asset that neither the sale takes nor a gateway. */
  amount: DecimalString,
  why: z.string(),
})

const RefundPaymentRecord = z.object({
  ...RefundRecord.shape,
  /** The transaction that paid it back. */
  hash: z.string(),
  date: Instant,
})

/** Where a user asked to be paid back, and what became of that. */
const ClaimRecord = z.object({
  id: Id,
  transaction_ids: z.array(Id),
  payment_token_id: z.string(),
  chain: z.string(),
  address: z.string(),
  amount: DecimalString,
  fee: DecimalString,
  state: z.string(),
  claimed_date: Instant,
  approved_date: z.nullable(Instant),
  closed_date: z.nullable(Instant),
  reason: z.nullable(z.string()),
  hash: z.nullable(z.string()),
})

/** Where a user wanted the tokens delivered, with what the wallet signed. */
const WalletRecord = z.object({
  chain_id: z.int(),
  address: z.string(),
  proof: z.string(),
  message: z.nullable(z.string()),
  signature: z.nullable(z.string()),
  block_height: z.nullable(z.string()),
  set_date: Instant,
  effective_date: Instant,
  cancelled_date: z.nullable(Instant),
})

/** What somebody owned when the books were closed, and their wallet at that time. */
const SnapshotRecord = z.object({
  snapshot: z.int(),
  tokens: WireAmount,
  address: z.nullable(z.string()),
  /**
   * Where they came from: purchases and rewards, each with the salt of its leaf, in hexadecimal.
   */
  parts: z.array(z.object({ id: Id, stage_id: z.string(), tokens: WireAmount, salt: z.string() })),
})

/** What was handed out to the snapshot's wallet, together with other people's tokens. */
const DistributionRecord = z.object({ distribution_id: Id, tokens: WireAmount })

const MarkRecord = z.object({
  transaction_id: Id,
  kind: z.string(),
  reason: z.nullable(z.string()),
  date: Instant,
})

/** What an operator did about the user or one of their purchases. */
const ActionRecord = z.object({
  transaction_id: z.nullable(Id),
  act: z.string(),
  details: z.record(z.string(), z.string()),
  date: Instant,
})

/**
 * All stored data about one user. Hashes, salts and secrets are left out: they would only help a
 * thief.
 */
export const UserExport = z.object({
  exported_date: Instant,
  profile: Profile,
  two_factor: z.object({
    is_on: z.boolean(),
    since_date: z.nullable(Instant),
    recovery_codes_left: z.int(),
  }),
  sessions: z.array(SessionRecord),
  login_places: z.array(LoginPlaceRecord),
  links: z.array(LinkRecord),
  mails: z.array(MailRecord),
  transactions: z.array(Transaction),
  /** When the user's tokens are released; empty if the sale has no schedule. */
  releases: z.array(Release),
  status_history: z.array(StatusRecord),
  ledger: z.array(LedgerRecord),
  refunds: z.array(RefundRecord),
  refund_payments: z.array(RefundPaymentRecord),
  refund_claims: z.array(ClaimRecord),
  receiving_wallets: z.array(WalletRecord),
  snapshots: z.array(SnapshotRecord),
  distributions: z.array(DistributionRecord),
  /** What the operator decided about a purchase. */
  operator_marks: z.array(MarkRecord),
  operator_actions: z.array(ActionRecord),
  referrals: z.object({ referred: z.int(), earned_tokens: WireAmount }),
})
export type UserExport = z.output<typeof UserExport>

/** Separate from the other calls for users: pages load its many schemas only where it is called. */
export const ownExportContract = {
  exportUser: endpoint({
    method: 'GET',
    path: '/users/{id}/export',
    access: 'user',
    summary: 'Returns everything stored about the user.',
    params: z.strictObject({ id: z.string() }),
    result: UserExport,
  }),
}
