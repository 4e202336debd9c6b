import { sql } from 'kysely'

import { isLost } from './mail-state.ts'
import { arrayText } from '#server/database/tables/array-text.ts'
import type { Database, DatabaseTransaction, Row } from '#server/database/tables/tables.ts'

export const mailKinds = [
  'verify_email',
  'reset_password',
  'password_changed',
  'new_login',
  'session_reused',
  'two_factor_on',
  'two_factor_off',
  'recovery_code_used',
  'recovery_codes_renewed',
  'account_erased',
  'purchase_created',
  'purchase_processing',
  'purchase_completed',
  'purchase_underpaid',
  'purchase_expired',
  'purchase_failed',
  'purchase_topped_up',
  'purchase_reversed',
  'purchase_withdrawn',
  'purchase_refund_listed',
  'purchase_refund_paid',
  'refund_claimed',
  'refund_claim_cancelled',
  'refund_claim_rejected',
  'refund_claim_paid',
  'purchase_foreign_transfer',
  'referral_rewarded',
  'referral_reward_reversed',
  'wallet_set',
  'wallet_set_for_you',
  'wallet_change_asked',
  'wallet_change_waits',
  'wallet_change_soon',
  'wallet_change_cancelled',
  'wallet_wanted',
  'delivery_claimable',
  'delivery_delivered',
  'delivery_expiring',
] as const
export type MailKind = (typeof mailKinds)[number]

export type NewMail = {
  userId: string
  kind: MailKind
  /**
   * Ids of what the mail is about: `link_id`, `session_id`, `purchase_id`, `reward_id`,
   * `payment_id`, `claim_id`, `wallet_id`, `approval_id`, `distribution_id`, `user_id`;
   * figures: `tokens` of a purchase and those `gained`, `codes_left`; and `was_credited` or
   * `again`, which are true. Never a secret.
   */
  params?: Record<string, string>
  /** Identifies the event, which is mailed only once. Left out if it may be mailed again. */
  uniqueKey?: string | null
  /** The address, if the account no longer has it. */
  recipient?: string | null
  at: Date
}

/** Writes a mail to be sent. Call it in the transaction of the change that the mail is about. */
export async function enqueueMail(database: Database, mail: NewMail): Promise<void> {
  await enqueueMails(database, [mail])
}

export async function enqueueMails(database: Database, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return
  const rows = mails.map(mailRow)
  await sql`
    insert into "outbox_mails" (user_id, kind, params, unique_key, recipient, created_at, attempts)
    select user_id, kind, params, unique_key, recipient, created_at, 0
    from unnest(
      ${arrayText(rows.map((row) => row.user_id))}::uuid[],
      ${arrayText(rows.map((row) => row.kind))}::text[],
      ${arrayText(rows.map((row) => JSON.stringify(row.params)))}::jsonb[],
      ${arrayText(rows.map((row) => row.unique_key))}::text[],
      ${arrayText(rows.map((row) => row.recipient))}::text[],
      ${arrayText(rows.map((row) => row.created_at))}::timestamptz[]
    ) with ordinality as mail (user_id, kind, params, unique_key, recipient, created_at, place)
    order by place
    on conflict (unique_key) do nothing`.execute(database)
}

/** Identifies the mail of a kind about something of which there is one such mail. */
export const mailKey = (kind: MailKind, id: string) => `${kind}:${id}`

/**
 * When somebody was told of an event: its mail was sent, or it was lost, which means given up, and
 * an operator, who tells its reader some other way, has put it away. Or that the mail still waits
 * to be sent, or is lost. Null if nobody need be told.
 */
export async function findNotified(
  database: Database,
  uniqueKey: string,
): Promise<Date | 'waits' | 'lost' | null> {
  const mail = await database
    .selectFrom('outbox_mails as mail')
    .leftJoin('inbox_closed as closed', (join) =>
      join.on('closed.kind', '=', 'mail').on('closed.item_id', '=', sql<string>`mail.id::text`),
    )
    .select(['sent_at', 'dropped_at', 'is_given_up', 'closed.at as closed_at'])
    .where('unique_key', '=', uniqueKey)
    .executeTakeFirst()
  if (mail === undefined) return null
  const notifiedAt = mail.sent_at ?? mail.closed_at
  if (notifiedAt !== null) return notifiedAt
  if (mail.is_given_up) return 'lost'
  return mail.dropped_at === null ? 'waits' : null
}

export type OperatorMailKind =
  | 'operator_invited'
  | 'operator_signed_in'
  | 'operator_factor_added'
  | 'operator_factor_removed'
  | 'audit_head'
  | 'token_acted_alone'
  | 'access_given'

/** A mail to a present or future operator: it has no user, so it names the address. */
export type NewOperatorMail = {
  recipient: string
  kind: OperatorMailKind
  /** What it is about: `invitation_id`, `session_id`; a `factor` and its `name`;
   * `number`, `hash` and `at` of the audit log's head; `call`, `name` and `usd` of an act; `to`,
   * `name` and `email` or `may` of access that was given. Never a secret. */
  params: Record<string, string>
  uniqueKey?: string
  at: Date
}

/** Writes a mail to an operator. Call it in the transaction of the change that it is about. */
export async function enqueueOperatorMail(
  database: Database,
  mail: NewOperatorMail,
): Promise<void> {
  const { recipient, kind, params, uniqueKey = null, at } = mail
  await database
    .insertInto('outbox_mails')
    .values({
      user_id: null,
      kind,
      params: JSON.stringify(params),
      unique_key: uniqueKey,
      recipient,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('unique_key').doNothing())
    .execute()
}

/** A mail to be sent, as the table has it. */
export function mailRow(mail: NewMail) {
  const { userId, kind, params = {}, uniqueKey = null, recipient = null, at } = mail
  return {
    user_id: userId,
    kind,
    params,
    unique_key: uniqueKey,
    recipient,
    created_at: at,
    attempts: 0,
  }
}

export type ClaimedMail = Pick<
  Row<'outbox_mails'>,
  'id' | 'user_id' | 'kind' | 'params' | 'recipient' | 'attempts' | 'created_at'
>

/** A claim on a mail: it belongs to its owner until somebody takes it over after `until`. */
export type Claim = { owner: string; until: Date }

/**
 * Takes the oldest mail that is due, one that somebody waits for before any other, and one that was
 * written to many at once after all, so that nobody else sends it before the claim ends. Counts the
 * attempt. Null if none is due.
 */
export async function claimMail(
  database: Database,
  claim: Claim,
  now: Date,
): Promise<ClaimedMail | null> {
  const due = database
    .selectFrom('outbox_mails')
    .select('id')
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .where((where) =>
      where.or([where('next_attempt_at', 'is', null), where('next_attempt_at', '<=', now)]),
    )
    .where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', now)]),
    )
    .orderBy('priority')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
  const claimed = await database
    .updateTable('outbox_mails')
    .set({ claimed_by: claim.owner, claimed_until: claim.until, attempts: sql`attempts + 1` })
    // Not `in`, whose rows PostgreSQL may look up once for each mail, and so claim more than one.
    .where('id', '=', due)
    .returning(['id', 'user_id', 'kind', 'params', 'recipient', 'attempts', 'created_at'])
    .executeTakeFirst()
  return claimed ?? null
}

/**
 * Extends a claim. False if it now belongs to another owner, or the mail is not to be sent any
 * more.
 */
export async function renewClaim(
  database: Database,
  mailId: bigint,
  { owner, until }: Claim,
): Promise<boolean> {
  const renewed = await database
    .updateTable('outbox_mails')
    .set({ claimed_until: until })
    .where('id', '=', mailId)
    .where('claimed_by', '=', owner)
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return renewed !== undefined
}

export type SentMail = { recipient: string; subject: string; text: string; html: string }

/**
 * `kept` is what was sent, if a sandbox shows it. Whoever holds the claim by now does not matter:
 * the mail was handed over, and an instance that took it over without sending it will not send it.
 */
export async function markMailSent(
  database: Database,
  mailId: bigint,
  now: Date,
  kept: SentMail | null,
): Promise<void> {
  await database
    .updateTable('outbox_mails')
    .set({
      sent_at: now,
      claimed_until: null,
      claimed_by: null,
      recipient: kept?.recipient ?? null,
      subject: kept?.subject ?? null,
      body_text: kept?.text ?? null,
      body_html: kept?.html ?? null,
      // A mail server names the address in what it says.
      last_fault: null,
    })
    .where('id', '=', mailId)
    .where('sent_at', 'is', null)
    // Its user may have been erased while it was being sent; then nothing of it is kept.
    .where('dropped_at', 'is', null)
    .execute()
}

/**
 * Puts the mail back, to be tried again at `nextAttemptAt`; null drops it, and `isGivenUp` says
 * that it should have been sent. Does nothing if another owner has claimed it.
 */
export async function markMailFailed(
  database: Database,
  mailId: bigint,
  owner: string,
  {
    now,
    fault,
    nextAttemptAt,
    isGivenUp = false,
  }: { now: Date; fault: string; nextAttemptAt: Date | null; isGivenUp?: boolean },
): Promise<void> {
  await database
    .updateTable('outbox_mails')
    .set({
      claimed_until: null,
      claimed_by: null,
      last_fault: fault.slice(0, 500),
      next_attempt_at: nextAttemptAt,
      dropped_at: nextAttemptAt === null ? now : null,
      is_given_up: isGivenUp,
    })
    .where('id', '=', mailId)
    .where('claimed_by', '=', owner)
    .where('sent_at', 'is', null)
    .execute()
}

export async function listKeptMails(
  database: Database,
  recipient: string | null,
  countMax: number,
): Promise<(SentMail & { id: string; sentAt: Date })[]> {
  let query = database
    .selectFrom('outbox_mails')
    .select(['id', 'recipient', 'subject', 'body_text', 'body_html', 'sent_at'])
    .where('recipient', 'is not', null)
    .where('sent_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(countMax)
  if (recipient !== null) query = query.where('recipient', '=', recipient)
  const rows = await query.execute()
  return rows.map((row) => ({
    id: row.id.toString(),
    recipient: row.recipient ?? '',
    subject: row.subject ?? '',
    text: row.body_text ?? '',
    html: row.body_html ?? '',
    sentAt: row.sent_at ?? new Date(0),
  }))
}

/** The HTML of a mail that was sent and kept; null if there is none. */
export async function findKeptHtml(database: Database, mailId: bigint): Promise<string | null> {
  const row = await database
    .selectFrom('outbox_mails')
    .select('body_html')
    .where('id', '=', mailId)
    .where('sent_at', 'is not', null)
    .executeTakeFirst()
  return row?.body_html ?? null
}

/**
 * Drops a user's unsent mails, and what was kept of the sent ones. Only the confirmation that they
 * have withdrawn from a purchase is owed to them by law: it keeps the address until it is sent, or
 * until an operator has told them where it was lost.
 */
export async function eraseMails(
  transaction: DatabaseTransaction,
  { id: userId, email, language }: Pick<Row<'users'>, 'id' | 'email' | 'language'>,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('outbox_mails')
    .set({ recipient: null, subject: null, body_text: null, body_html: null, last_fault: null })
    .where('user_id', '=', userId)
    .execute()
  await transaction
    .updateTable('outbox_mails')
    .set({ recipient: email, params: sql`params || ${JSON.stringify({ language })}::jsonb` })
    .where('user_id', '=', userId)
    .where('kind', '=', 'purchase_withdrawn')
    .where('sent_at', 'is', null)
    .where((mail) => mail.or([mail('dropped_at', 'is', null), isLost('outbox_mails')]))
    .execute()
  await transaction
    .updateTable('outbox_mails')
    .set({
      dropped_at: now,
      claimed_until: null,
      claimed_by: null,
      last_fault: 'Its user was erased',
    })
    .where('user_id', '=', userId)
    .where('recipient', 'is', null)
    .where('sent_at', 'is', null)
    .where('dropped_at', 'is', null)
    .execute()
}

/** Of a lost mail to somebody whose account is erased, who was told in some other way. */
export async function clearRecipient(database: Database, mailId: string): Promise<void> {
  await database
    .updateTable('outbox_mails')
    .set({ recipient: null, last_fault: null })
    .where('id', '=', BigInt(mailId))
    .where('user_id', 'is not', null)
    .where('recipient', 'is not', null)
    .execute()
}
