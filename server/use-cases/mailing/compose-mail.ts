import { deviceName } from '#domain/accounts/device.ts'
import { tokenAmount } from '#domain/money.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { isLinkOpen } from '#server/database/accounts/links.ts'
import type { ClaimedMail, MailKind } from '#server/database/books/outbox.ts'
import { findRefundPaymentById } from '#server/database/settlement/refund-payments.ts'
import { findSession, type SessionRow } from '#server/database/accounts/sessions.ts'
import { listRefundsOf } from '#server/database/settlement/settlements.ts'
import { findUser, type UserRow } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import {
  passwordChangedMessage,
  resetPasswordMessage,
  verifyEmailMessage,
} from './texts/account-messages.ts'
import { cryptoText } from '#server/use-cases/sale/amount-texts.ts'
import type { Addressee, Message, Sender } from './texts/message.ts'
import {
  purchaseCompletedMessage,
  purchaseCreatedMessage,
  purchaseExpiredMessage,
  purchaseFailedMessage,
  type PurchaseMail,
  purchaseProcessingMessage,
  purchaseRefundListedMessage,
  purchaseReversedMessage,
  purchaseToppedUpMessage,
  purchaseUnderpaidMessage,
  referralRewardedMessage,
} from './texts/purchase-messages.ts'
import { purchaseRefundPaidMessage } from './texts/refund-paid-message.ts'
import {
  accountErasedMessage,
  newLoginMessage,
  recoveryCodesRenewedMessage,
  recoveryCodeUsedMessage,
  sessionReusedMessage,
  type SessionDetails,
  twoFactorOffMessage,
  twoFactorOnMessage,
} from './texts/security-messages.ts'
import { linkTokenOf } from '#server/use-cases/access/session-tokens.ts'
import {
  findTransactionView,
  type PurchaseView,
} from '#server/use-cases/purchases/transaction-view.ts'

export type ComposedMail = { recipient: string; message: Message }

type Compose = (
  services: Services,
  user: UserRow,
  params: Record<string, string>,
) => Promise<Message | null>

/** Null where a mail is obsolete: its user is erased, its link is void, or its event was undone. */
export async function composeMail(
  services: Services,
  mail: Pick<ClaimedMail, 'user_id' | 'kind' | 'params' | 'recipient'>,
): Promise<ComposedMail | null> {
  if (mail.kind === 'account_erased' && mail.recipient !== null) {
    return { recipient: mail.recipient, message: accountErasedMessage(senderOf(services)) }
  }
  const user = await findUser(services.database, mail.user_id)
  if (user === null) return null
  if (!isMailKind(mail.kind)) throw new Error(`There is no mail of the kind ${mail.kind}`)
  const message = await composers[mail.kind](services, user, mail.params)
  return message === null ? null : { recipient: user.email, message }
}

/** The sender of all mails of this server. */
export function senderOf(services: Services): Sender {
  const { publicUrl, isSandbox } = services.settings
  return { projectName: services.sale.project.name, publicUrl, isSandbox }
}

const withLink =
  (write: (sender: Sender, name: Addressee, token: string) => Message): Compose =>
  async (services, user, params) => {
    const linkId = params['link_id'] ?? ''
    if (!(await isLinkOpen(services.database, linkId, services.clock.now()))) return null
    const token = linkTokenOf(services.settings.secretKey, linkId)
    return write(senderOf(services), nameOf(user), token)
  }

const nameOf = (user: UserRow): Addressee => (user.is_email_verified ? user.first_name : null)

const ofAccount =
  (write: (sender: Sender, name: Addressee) => Message): Compose =>
  async (services, user) =>
    write(senderOf(services), nameOf(user))

/** `at` picks the instant of the session that the mail is about. */
const ofSession =
  (
    at: (session: SessionRow) => Date,
    write: (sender: Sender, name: Addressee, session: SessionDetails) => Message,
  ): Compose =>
  async (services, user, params) => {
    const session = await findSession(services.database, params['session_id'] ?? '')
    if (session === null) return null
    const { address, user_agent } = session
    const details = { device: deviceName(user_agent), address, at: at(session) }
    return write(senderOf(services), nameOf(user), details)
  }

async function findPurchaseView(
  services: Services,
  params: Record<string, string>,
): Promise<PurchaseView | null> {
  const view = await findTransactionView(services, params['purchase_id'] ?? '')
  return view?.type === 'purchase' ? view : null
}

/** A mail that is no longer true is not sent: a later one replaces it. */
const ofPurchase =
  (
    isStillTrue: (purchase: PurchaseView, params: Record<string, string>) => boolean,
    write: PurchaseMail,
  ): Compose =>
  async (services, _user, params) => {
    const purchase = await findPurchaseView(services, params)
    if (purchase === null || !isStillTrue(purchase, params)) return null
    return write(senderOf(services), services.sale.project, purchase)
  }

const is = (status: PurchaseStatus) => (purchase: PurchaseView) => purchase.status === status

/** The payment is still missing, or the purchase still has the tokens that the mail names. */
const isReversed = ({ status, reason, tokens }: PurchaseView, params: Record<string, string>) =>
  reason === 'reorged' || (status === 'completed' && String(tokens.total) === params['tokens'])

const ofSurplus: Compose = async (services, _user, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase?.status !== 'completed') return null
  if (String(purchase.tokens.total) !== params['tokens']) return null
  const gained = tokenAmount(BigInt(params['gained'] ?? 0))
  return purchaseToppedUpMessage(senderOf(services), services.sale.project, purchase, gained)
}

const ofRefunds: Compose = async (services, _user, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase === null) return null
  const refunds = await listRefundsOf(services.database, purchase.id)
  if (refunds.length === 0) return null
  return purchaseRefundListedMessage(senderOf(services), services.sale.project, purchase, refunds)
}

const ofRefundPaid: Compose = async (services, _user, params) => {
  const purchase = await findPurchaseView(services, params)
  const paid = await findRefundPaymentById(services.database, BigInt(params['payment_id'] ?? 0))
  if (purchase === null || paid === null) return null
  const { sale, rails } = services
  const paymentToken = paymentTokenOf(sale, paid.payment_token_id)
  const rail = rails.get(purchase.paymentToken.rail)
  return purchaseRefundPaidMessage(senderOf(services), sale.project, purchase, {
    amount: paymentToken === undefined ? null : cryptoText(paid.amount, paymentToken),
    hash: paid.transaction_hash,
    explorerUrl: rail?.explorerUrl(paid.chain, paid.transaction_hash) ?? null,
  })
}

const ofReward: Compose = async (services, _user, params) => {
  const reward = await findTransactionView(services, params['reward_id'] ?? '')
  if (reward?.type !== 'referral') return null
  return referralRewardedMessage(senderOf(services), services.sale.project, reward)
}

const composers: Record<MailKind, Compose> = {
  verify_email: withLink(verifyEmailMessage),
  reset_password: withLink(resetPasswordMessage),
  password_changed: ofAccount(passwordChangedMessage),
  new_login: ofSession((session) => session.started_at, newLoginMessage),
  session_reused: ofSession(
    (session) => session.ended_at ?? session.last_used_at,
    sessionReusedMessage,
  ),
  two_factor_on: ofAccount(twoFactorOnMessage),
  two_factor_off: ofAccount(twoFactorOffMessage),
  recovery_code_used: async (services, user, params) =>
    recoveryCodeUsedMessage(senderOf(services), nameOf(user), Number(params['codes_left'] ?? 0)),
  recovery_codes_renewed: ofAccount(recoveryCodesRenewedMessage),
  account_erased: async (services) => accountErasedMessage(senderOf(services)),
  purchase_created: ofPurchase(is('pending'), purchaseCreatedMessage),
  purchase_processing: ofPurchase(is('processing'), purchaseProcessingMessage),
  purchase_completed: ofPurchase(is('completed'), purchaseCompletedMessage),
  purchase_underpaid: ofPurchase(is('pending'), purchaseUnderpaidMessage),
  purchase_expired: ofPurchase(is('expired'), purchaseExpiredMessage),
  purchase_failed: ofPurchase(is('failed'), purchaseFailedMessage),
  purchase_topped_up: ofSurplus,
  purchase_reversed: ofPurchase(isReversed, purchaseReversedMessage),
  purchase_refund_listed: ofRefunds,
  purchase_refund_paid: ofRefundPaid,
  referral_rewarded: ofReward,
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(composers, kind)
}
