import { WALLET_COOL_OFF_MS } from '#domain/delivery/wallet.ts'
import { Refusal, type RefusalReason, waitText, wrongField } from '#domain/refusal.ts'
import { eraseAccountRows } from '#server/database/accounts/retention.ts'
import { cancelWaiting, findWallets } from '#server/database/delivery/wallets.ts'
import { enqueueMail, eraseMails, findNotified, mailKey } from '#server/database/books/outbox.ts'
import { listClaimsOf } from '#server/database/refunds/claims.ts'
import { findSession } from '#server/database/accounts/sessions.ts'
import { eraseUserFields, type UserRow } from '#server/database/accounts/users.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Caller, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import {
  finishProof,
  getOwnUser,
  lockCaller,
  type OwnerProof,
  requireOwnerProof,
  requirePassword,
  requireSelf,
} from '#server/use-cases/access/user-account.ts'

/** For this long after a login, the password counts as just given. */
const FRESH_LOGIN_MS = 10 * 60_000

/** Shortly after a login, some or all of it may be missing. */
export type Proof = { [part in keyof OwnerProof]?: OwnerProof[part] | undefined }

/**
 * Erases the caller, as `eraseAccount` says. Refuses with `InvalidInput` if a proof is missing,
 * `WrongPassword`, `WrongCode`, `ClaimCancellable`, `WalletTooNew`, `Busy`, `TooManyRequests`.
 */
export async function eraseUser(
  services: Services,
  input: { userId: string; proof: Proof },
  caller: Caller,
): Promise<void> {
  requireSelf(caller, input.userId)
  const user = await getOwnUser(services, caller)
  const code = await checkProof(services, user, input.proof, caller)
  const erasure: Try = { rule: 'erasure_by_account', key: user.email }
  await services.limits.takeInOrder([erasure])
  try {
    await services.database.transaction().execute(async (transaction) => {
      await lockCaller(transaction, caller)
      if (code !== undefined) await finishProof(services, transaction, caller, code)
      await eraseAccount(services, transaction, user, 'owner')
    })
  } catch (error) {
    // Nothing was erased, and no mail is sent.
    await services.limits.restore({ refunded: [erasure] })
    throw error
  }
}

const lostTexts = {
  owner: 'The mail about it was lost: write to us',
  operator:
    'The mail about it was lost: tell them in some other way, and put it away under lost mails',
}

/**
 * Erases a user whose row is locked. Personal fields get placeholders; every session, link,
 * two-factor secret and remembered place is deleted; unsent mails are dropped, but for the
 * confirmation of a withdrawal; and the address gets a last mail and is free again. The ledger, the
 * purchases, who referred whom and where the tokens go stay, under an id that names nobody. A
 * wallet change that still waits is cancelled, since its owner could no longer do that. Refuses
 * with `ClaimCancellable` for a day after a refund was claimed, and with `WalletTooNew` for two
 * days after the receiving wallet was set; both begin only once the buyer was told of it, and end a
 * month after the act in any case. `by` is told what to do where the mail is lost.
 */
export async function eraseAccount(
  { clock }: Services,
  transaction: DatabaseTransaction,
  user: UserRow,
  by: keyof typeof lostTexts,
): Promise<void> {
  const now = clock.now()
  const asked = { userId: user.id, now, lostText: lostTexts[by] }
  await requireNoCancellableClaim(transaction, asked)
  await requireNoNewWallet(transaction, asked)
  // Nobody could cancel it any more, or be informed of it.
  await cancelWaiting(transaction, user.id, now)
  await eraseAccountRows(transaction, user.id)
  await eraseMails(transaction, user, now)
  await eraseUserFields(transaction, user.id, now)
  await enqueueMail(transaction, {
    userId: user.id,
    kind: 'account_erased',
    params: { language: user.language },
    uniqueKey: `account_erased:${user.id}`,
    recipient: user.email,
    at: now,
  })
}

/**
 * A thief who has claimed a refund could otherwise hide the mail about it, and take from its owner
 * the way to cancel it. Whoever claims locks the user as well.
 */
async function requireNoCancellableClaim(
  transaction: DatabaseTransaction,
  asked: Asked,
): Promise<void> {
  const claims = await listClaimsOf(transaction, asked.userId, 0)
  const undecided = claims.filter(({ state }) => state === 'claimed')
  await requireNoticed(transaction, asked, {
    acts: undecided.map(({ id, claimed_at: at, approvable_at: end }) => ({
      at,
      noticeMs: end.getTime() - at.getTime(),
      mails: [mailKey('refund_claimed', id)],
    })),
    reason: 'ClaimCancellable',
    sentence: 'A refund claim can still be cancelled.',
    again: 'Try again once it is cancelled, or',
  })
}

/**
 * The first wallet counts at once. A thief who has set it could otherwise hide the mail about it,
 * and take from the owner the account in which to change it. Whoever sets one locks the user too.
 */
async function requireNoNewWallet(transaction: DatabaseTransaction, asked: Asked): Promise<void> {
  const { current } = await findWallets(transaction, asked.userId, asked.now)
  if (current === null) return
  const { id, set_at: at } = current
  const mails = [mailKey('wallet_set', id), mailKey('wallet_change_waits', id)]
  await requireNoticed(transaction, asked, {
    acts: [{ at, noticeMs: WALLET_COOL_OFF_MS, mails }],
    reason: 'WalletTooNew',
    sentence: 'The receiving wallet was set recently, so the account cannot be deleted yet.',
    again: 'Try again',
  })
}

/** When to try again while a mail is not sent, which may be soon or in days. */
const UNTOLD_WAIT_MS = 60 * 60_000

type Asked = { userId: string; now: Date; lostText: string }
type Noticed = { at: Date; noticeMs: number; mails: readonly string[] }

/** Nobody has to keep an account for longer, whatever became of the mails. */
const NOTICE_MAX_MS = 30 * 24 * 60 * 60_000

/** Refuses until each act, and the mail about it, is `noticeMs` old. */
async function requireNoticed(
  transaction: DatabaseTransaction,
  { now, lostText }: Asked,
  noticed: { acts: readonly Noticed[]; reason: RefusalReason; sentence: string; again: string },
): Promise<void> {
  const { acts, reason, sentence, again } = noticed
  let waitMs = 0
  for (const { at, noticeMs, mails } of acts) {
    const boundMs = at.getTime() + NOTICE_MAX_MS - now.getTime()
    if (boundMs <= 0) continue
    const notified = await Promise.all(mails.map((key) => findNotified(transaction, key)))
    if (notified.includes('lost')) throw new Refusal(reason, { message: `${sentence} ${lostText}` })
    for (const each of [at, ...notified]) {
      const from = each instanceof Date ? each : at
      const leftMs = from.getTime() + noticeMs - now.getTime()
      waitMs = Math.max(waitMs, Math.min(each === 'waits' ? UNTOLD_WAIT_MS : leftMs, boundMs))
    }
  }
  if (waitMs === 0) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const message = `${sentence} ${again} ${waitText(retryAfterSeconds)}`
  throw new Refusal(reason, { message, retryAfterSeconds })
}

/**
 * Returns the code that is still to be used up; null if two-factor login is off, and undefined
 * shortly after a login, which needs none.
 */
async function checkProof(
  services: Services,
  user: UserRow,
  { password, code }: Proof,
  caller: Caller,
): Promise<string | null | undefined> {
  const session = await findSession(services.database, caller.sessionId)
  // Another call may have erased the caller since this one was let in.
  if (session === null) throw new Refusal('Unauthenticated')
  const isFresh = services.clock.now().getTime() - session.started_at.getTime() < FRESH_LOGIN_MS
  if (password === undefined) {
    if (isFresh) return undefined
    throw wrongField('password', 'Enter your password')
  }
  if (!isFresh || code !== undefined) {
    return await requireOwnerProof(services, { password, code }, caller)
  }
  await requirePassword(services, user, password, caller)
  return undefined
}
