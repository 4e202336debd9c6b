import { deviceName } from '#domain/accounts/device.ts'
import { type PageLanguage, pageLanguages } from '#domain/language.ts'
import { tokenAmount } from '#domain/money.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { findLinkEnd } from '#server/database/accounts/links.ts'
import type { ClaimedMail, MailKind } from '#server/database/books/outbox.ts'
import { findRefundPaymentById } from '#server/database/settlement/refund-payments.ts'
import { findSession, type SessionRow } from '#server/database/accounts/sessions.ts'
import { listRefundsOf } from '#server/database/settlement/settlements.ts'
import { findUser, type UserRow } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import { cryptoText } from '#server/use-cases/sale/amount-texts.ts'
import {
  type MailedLink,
  passwordChangedMessage,
  resetPasswordMessage,
  verifyEmailMessage,
} from './texts/account-messages.ts'
import { type Addressee, type Letter, newLetter } from './texts/letter.ts'
import type { Message } from './texts/message.ts'
import {
  purchaseCreatedMessage,
  purchaseExpiredMessage,
  purchaseFailedMessage,
  type PurchaseMail,
  purchaseProcessingMessage,
  purchaseReversedMessage,
  purchaseToppedUpMessage,
  purchaseUnderpaidMessage,
  referralRewardedMessage,
} from './texts/purchase-messages.ts'
import { purchaseCompletedMessage } from './texts/receipt-message.ts'
import { purchaseRefundListedMessage, purchaseRefundPaidMessage } from './texts/refund-messages.ts'
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

type Params = Record<string, string>

type Compose = (services: Services, letter: Letter, params: Params) => Promise<Message | null>

/** Null where a mail is obsolete: its user is erased, its link is void, or its event was undone. */
export async function composeMail(
  services: Services,
  mail: Pick<ClaimedMail, 'user_id' | 'kind' | 'params' | 'recipient'>,
): Promise<ComposedMail | null> {
  if (mail.kind === 'account_erased' && mail.recipient !== null) {
    const { language } = mail.params
    const letter = letterTo(services, isPageLanguage(language) ? language : pageLanguages[0], null)
    return { recipient: mail.recipient, message: accountErasedMessage(letter) }
  }
  const user = await findUser(services.database, mail.user_id)
  if (user === null) return null
  if (!isMailKind(mail.kind)) throw new Error(`There is no mail of the kind ${mail.kind}`)
  const letter = letterTo(services, user.language, nameOf(user))
  const message = await composers[mail.kind](services, letter, mail.params)
  return message === null ? null : { recipient: user.email, message }
}

function letterTo(
  { settings, sale, clock }: Services,
  language: PageLanguage,
  name: Addressee,
): Letter {
  const { publicUrl, isSandbox } = settings
  return newLetter({ language, name, sale, publicUrl, isSandbox, now: clock.now() })
}

const nameOf = (user: UserRow): Addressee =>
  user.is_email_verified ? { first: user.first_name, last: user.last_name } : null

const withLink =
  (write: (letter: Letter, link: MailedLink) => Message): Compose =>
  async (services, letter, params) => {
    const linkId = params['link_id'] ?? ''
    const endsAt = await findLinkEnd(services.database, linkId, services.clock.now())
    if (endsAt === null) return null
    return write(letter, { token: linkTokenOf(services.settings.secretKey, linkId), endsAt })
  }

const ofAccount =
  (write: (letter: Letter) => Message): Compose =>
  async (_services, letter) =>
    write(letter)

/** `at` picks the instant of the session that the mail is about. */
const ofSession =
  (
    at: (session: SessionRow) => Date,
    write: (letter: Letter, session: SessionDetails) => Message,
  ): Compose =>
  async (services, letter, params) => {
    const session = await findSession(services.database, params['session_id'] ?? '')
    if (session === null) return null
    const { address, user_agent } = session
    const details = { device: deviceName(user_agent), address, at: at(session) }
    return write(letter, details)
  }

async function findPurchaseView(services: Services, params: Params): Promise<PurchaseView | null> {
  const view = await findTransactionView(services, params['purchase_id'] ?? '')
  return view?.type === 'purchase' ? view : null
}

/** A mail that is no longer true is not sent: a later one replaces it. */
const ofPurchase =
  (
    isStillTrue: (purchase: PurchaseView, params: Params) => boolean,
    write: PurchaseMail,
  ): Compose =>
  async (services, letter, params) => {
    const purchase = await findPurchaseView(services, params)
    if (purchase === null || !isStillTrue(purchase, params)) return null
    return write(letter, purchase)
  }

const is = (status: PurchaseStatus) => (purchase: PurchaseView) => purchase.status === status

/** The payment is still missing, or the purchase still has the tokens that the mail names. */
const isReversed = ({ status, reason, tokens }: PurchaseView, params: Params) =>
  reason === 'reorged' || (status === 'completed' && String(tokens.total) === params['tokens'])

const ofSurplus: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase?.status !== 'completed') return null
  if (String(purchase.tokens.total) !== params['tokens']) return null
  const gained = tokenAmount(BigInt(params['gained'] ?? 0))
  return purchaseToppedUpMessage(letter, purchase, gained)
}

const ofRefunds: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase === null) return null
  const refunds = await listRefundsOf(services.database, purchase.id)
  if (refunds.length === 0) return null
  return purchaseRefundListedMessage(letter, purchase, refunds)
}

const ofRefundPaid: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  const paid = await findRefundPaymentById(services.database, BigInt(params['payment_id'] ?? 0))
  if (purchase === null || paid === null) return null
  const { sale, rails } = services
  const paymentToken = paymentTokenOf(sale, paid.payment_token_id)
  const rail = rails.get(purchase.paymentToken.rail)
  return purchaseRefundPaidMessage(letter, purchase, {
    amount: paymentToken === undefined ? null : cryptoText(paid.amount, paymentToken),
    hash: paid.transaction_hash,
    explorerUrl: rail?.explorerUrl(paid.chain, paid.transaction_hash) ?? null,
  })
}

const ofReward: Compose = async (services, letter, params) => {
  const reward = await findTransactionView(services, params['reward_id'] ?? '')
  if (reward?.type !== 'referral') return null
  return referralRewardedMessage(letter, reward)
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
  recovery_code_used: async (_services, letter, params) =>
    recoveryCodeUsedMessage(letter, Number(params['codes_left'] ?? 0)),
  recovery_codes_renewed: ofAccount(recoveryCodesRenewedMessage),
  account_erased: ofAccount(accountErasedMessage),
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

function isPageLanguage(language: string | undefined): language is PageLanguage {
  return pageLanguages.some((known) => known === language)
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(composers, kind)
}
