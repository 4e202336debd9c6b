import type { DeliveryState } from '#domain/delivery/distribution.ts'
import { networkName } from '#domain/chains/chain.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { type PageLanguage, pageLanguages } from '#domain/language.ts'
import { subtract, tokenAmount } from '#domain/money.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import type { RefundClaimState } from '#domain/refunds/claim-states.ts'
import { approvableAt } from '#domain/refunds/claim-terms.ts'
import { paymentTokenOf } from '#domain/sale/sale.ts'
import { findLinkEnd } from '#server/database/accounts/links.ts'
import type { ClaimedMail, MailKind, OperatorMailKind } from '#server/database/books/outbox.ts'
import { findInvitationEnd } from '#server/database/operators/invitations.ts'
import { findOperatorSession } from '#server/database/operators/operator-sessions.ts'
import { findClaim, listPartsOf } from '#server/database/refunds/claims.ts'
import { findRefundPaymentById } from '#server/database/settlement/refund-payments.ts'
import { findSession, type SessionRow } from '#server/database/accounts/sessions.ts'
import { listRefundsOf } from '#server/database/settlement/settlements.ts'
import { findUser, type UserRow } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import { cryptoText, tokensText } from '#server/use-cases/sale/amount-texts.ts'
import * as account from './texts/account-messages.ts'
import type { Compose, Params } from './compose.ts'
import { type Addressee, type Letter, type Message, newLetter } from './texts/letter.ts'
import * as operators from './texts/operator-messages.ts'
import * as purchases from './texts/purchase-messages.ts'
import * as claims from './texts/claim-messages.ts'
import * as deliveries from './texts/delivery-messages.ts'
import * as wallets from './texts/wallet-messages.ts'
import { purchaseCompletedMessage } from './texts/receipt-message.ts'
import { isSet, isWaitingStill, ofAskedChange, ofMissingWallet, ofWallet } from './wallet-mails.ts'
import { listOwnDeliveries } from '#server/use-cases/deliveries/own-deliveries.ts'
import { linkTokenOf } from '#server/use-cases/access/session-tokens.ts'
import {
  findTransactionView,
  type PurchaseView,
  type RewardView,
} from '#server/use-cases/purchases/transaction-view.ts'

export type ComposedMail = { recipient: string; message: Message }

/** Null if a mail is obsolete: its user is erased, its link is void, or its event was undone. */
export async function composeMail(
  services: Services,
  mail: Pick<ClaimedMail, 'user_id' | 'kind' | 'params' | 'recipient'>,
): Promise<ComposedMail | null> {
  if (mail.user_id !== null && mail.recipient !== null) {
    return await composeLast(services, mail, mail.recipient)
  }
  if (mail.user_id === null) return await composeOperatorMail(services, mail)
  const user = await findUser(services.database, mail.user_id)
  if (user === null) return null
  if (!isMailKind(mail.kind)) throw new Error(`There is no mail of the kind ${mail.kind}`)
  const letter = letterTo(services, user.language, nameOf(user))
  const message = await composers[mail.kind](services, letter, mail.params)
  return message === null ? null : { recipient: user.email, message }
}

/** A mail to the address of a user who was erased. */
async function composeLast(
  services: Services,
  { kind, params }: Pick<ClaimedMail, 'kind' | 'params'>,
  recipient: string,
): Promise<ComposedMail | null> {
  const { language } = params
  const letter = letterTo(services, isPageLanguage(language) ? language : pageLanguages[0], null)
  if (kind === 'account_erased') return { recipient, message: account.accountErasedMessage(letter) }
  if (kind !== 'purchase_withdrawn')
    throw new Error(`An erased user gets no mail of the kind ${kind}`)
  const message = await composeWithdrawal(services, letter, params, recipient)
  return message === null ? null : { recipient, message }
}

async function composeOperatorMail(
  services: Services,
  { kind, params, recipient }: Pick<ClaimedMail, 'kind' | 'params' | 'recipient'>,
): Promise<ComposedMail | null> {
  if (recipient === null) throw new Error(`A mail of the kind ${kind} has no address`)
  if (!isOperatorMailKind(kind)) throw new Error(`There is no mail of the kind ${kind}`)
  const letter = letterTo(services, 'en', null)
  const message = await operatorComposers[kind](services, letter, params)
  return message === null ? null : { recipient, message }
}

const operatorComposers: Record<OperatorMailKind, Compose> = {
  operator_invited: async (services, letter, params) => {
    const id = params['invitation_id'] ?? ''
    const open = await findInvitationEnd(services.database, id, services.clock.now())
    if (open === null) return null
    const token = linkTokenOf(services.settings.secretKey, id)
    return operators.operatorInvitedMessage(letter, {
      token,
      role: open.role,
      endsAt: open.expiresAt,
    })
  },
  operator_signed_in: async (services, letter, params) => {
    const session = await findOperatorSession(services.database, params['session_id'] ?? '')
    if (session === null) return null
    const { address, user_agent, started_at: at } = session
    return operators.operatorSignedInMessage(letter, {
      device: deviceName(user_agent),
      address,
      at,
    })
  },
  operator_factor_added: async (_services, letter, params) =>
    operators.operatorFactorMessage(letter, 'added', params['factor'] ?? ''),
  operator_factor_removed: async (_services, letter, params) =>
    operators.operatorFactorMessage(letter, 'removed', params['factor'] ?? ''),
  audit_head: async (_services, letter, params) => operators.auditHeadMessage(letter, params),
  token_acted_alone: async (_services, letter, params) =>
    operators.actedAloneMessage(letter, params),
  access_given: async (_services, letter, params) => operators.accessGivenMessage(letter, params),
}

function isOperatorMailKind(kind: string): kind is OperatorMailKind {
  return Object.hasOwn(operatorComposers, kind)
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
  (write: (letter: Letter, link: account.MailedLink) => Message): Compose =>
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

/** `at` picks which instant of the session the mail is about. */
const ofSession =
  (
    at: (session: SessionRow) => Date,
    write: (letter: Letter, session: account.SessionDetails) => Message,
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
    isStillTrue: (purchase: PurchaseView, params: Params, now: Date) => boolean,
    write: (letter: Letter, purchase: PurchaseView, wasCredited: boolean) => Message,
  ): Compose =>
  async (services, letter, params) => {
    const purchase = await findPurchaseView(services, params)
    if (purchase === null || !isStillTrue(purchase, params, services.clock.now())) return null
    return write(letter, purchase, params['was_credited'] !== undefined)
  }

const is = (status: PurchaseStatus) => (purchase: PurchaseView) => purchase.status === status

/** A purchase stays pending after its time to pay until its chain has been read that far. */
const isStillToPay = ({ status, expiresAt }: PurchaseView, _params: Params, now: Date) =>
  status === 'pending' && now < expiresAt

/** The payment is still missing, or the purchase still has the tokens that the mail names. */
const isReversed = ({ status, reason, tokens }: PurchaseView, params: Params) =>
  reason === 'reorged' || (status === 'completed' && String(tokens.total) === params['tokens'])

const ofSurplus: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase?.status !== 'completed') return null
  if (String(purchase.tokens.total) !== params['tokens']) return null
  const gained = tokenAmount(BigInt(params['gained'] ?? 0))
  return purchases.purchaseToppedUpMessage(letter, purchase, gained)
}

const ofRefunds: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  if (purchase === null) return null
  const refunds = await listRefundsOf(services.database, purchase.id)
  if (refunds.length === 0) return null
  return purchases.purchaseRefundListedMessage(letter, purchase, refunds)
}

const ofRefundPaid: Compose = async (services, letter, params) => {
  const purchase = await findPurchaseView(services, params)
  const paid = await findRefundPaymentById(services.database, BigInt(params['payment_id'] ?? 0))
  if (purchase === null || paid === null) return null
  const { sale, rails } = services
  const paymentToken = paymentTokenOf(sale, paid.payment_token_id)
  const rail = rails.get(purchase.paymentToken.rail)
  return purchases.purchaseRefundPaidMessage(letter, purchase, {
    amount: paymentToken === undefined ? null : cryptoText(paid.amount, paymentToken),
    network: paymentToken === undefined ? null : networkName(paymentToken),
    why: paid.why,
    hash: paid.transaction_hash,
    explorerUrl: rail?.explorerUrl(paid.chain, paid.transaction_hash) ?? null,
  })
}

/** A mail about a claim, sent only while the claim is in one of these states. */
const ofClaim =
  (states: readonly RefundClaimState[], write: claims.ClaimMail): Compose =>
  async (services, letter, params) => {
    const { database, sale, rails } = services
    const claim = await findClaim(database, params['claim_id'] ?? '')
    if (claim === null || !states.includes(claim.state)) return null
    const paymentToken = paymentTokenOf(sale, claim.payment_token_id)
    const [part] = await listPartsOf(database, claim.id)
    if (paymentToken === undefined || part === undefined) return null
    const hash = claim.transaction_hash
    const rail = rails.get(claim.rail)
    return write(letter, {
      purchaseId: part.purchase_id,
      amount: cryptoText(claim.amount, paymentToken),
      fee: claim.fee === 0n ? null : cryptoText(claim.fee, paymentToken),
      pays: cryptoText(subtract(claim.amount, claim.fee), paymentToken),
      network: networkName(paymentToken),
      address: claim.address,
      approvableAt: approvableAt(claim.claimed_at, services.clock.now()),
      reason: claim.reason,
      hash,
      explorerUrl: hash === null ? null : (rail?.explorerUrl(claim.chain, hash) ?? null),
    })
  }

/** `recipient` is null if the user has it. */
async function composeWithdrawal(
  services: Services,
  letter: Letter,
  params: Params,
  recipient: string | null,
): Promise<Message | null> {
  const purchase = await findPurchaseView(services, params)
  if (purchase === null || purchase.withdrawnAt === null) return null
  const email = recipient ?? (await findUser(services.database, purchase.userId))?.email
  if (email === undefined) return null
  const statement = { at: purchase.withdrawnAt, email, isErased: recipient !== null }
  return purchases.purchaseWithdrawnMessage(letter, purchase, statement)
}

/** A mail about a part of a distribution, sent only while that is in one of these states. */
const ofDelivery =
  (states: readonly DeliveryState[], write: deliveries.DeliveryMail): Compose =>
  async (services, letter, params) => {
    const { parts } = await listOwnDeliveries(services, params['user_id'] ?? '')
    const part = parts.find(({ distributionId: id }) => String(id) === params['distribution_id'])
    if (part === undefined || !states.includes(part.state)) return null
    const isOver = part.expiresAt !== null && part.expiresAt <= services.clock.now()
    if (isOver && part.state === 'published') return null
    const last = part.transfers.at(-1)
    return write(letter, {
      tokens: tokensText(tokenAmount(part.tokens), services.sale.project),
      tool: part.tool,
      wallet: part.address,
      isWithheld: part.isWithheld,
      receiver: last?.receiver ?? null,
      expiresAt: part.expiresAt,
      hash: last?.hash ?? null,
      explorerUrl: last?.explorerUrl ?? null,
    })
  }

const ofReward =
  (
    status: RewardView['status'],
    write: (letter: Letter, reward: RewardView, isAgain: boolean) => Message,
  ): Compose =>
  async (services, letter, params) => {
    const reward = await findTransactionView(services, params['reward_id'] ?? '')
    if (reward?.type !== 'referral' || reward.status !== status) return null
    return write(letter, reward, params['again'] !== undefined)
  }

const composers: Record<MailKind, Compose> = {
  verify_email: withLink(account.verifyEmailMessage),
  reset_password: withLink(account.resetPasswordMessage),
  password_changed: ofAccount(account.passwordChangedMessage),
  new_login: ofSession((session) => session.started_at, account.newLoginMessage),
  session_reused: ofSession(
    (session) => session.ended_at ?? session.last_used_at,
    account.sessionReusedMessage,
  ),
  two_factor_on: ofAccount(account.twoFactorOnMessage),
  two_factor_off: ofAccount(account.twoFactorOffMessage),
  recovery_code_used: async (_services, letter, params) =>
    account.recoveryCodeUsedMessage(letter, Number(params['codes_left'] ?? 0)),
  recovery_codes_renewed: ofAccount(account.recoveryCodesRenewedMessage),
  account_erased: ofAccount(account.accountErasedMessage),
  purchase_created: ofPurchase(
    (purchase, params, now) => isStillToPay(purchase, params, now) && purchase.due > 0n,
    purchases.purchaseCreatedMessage,
  ),
  purchase_processing: ofPurchase(is('processing'), purchases.purchaseProcessingMessage),
  purchase_completed: ofPurchase(is('completed'), purchaseCompletedMessage),
  purchase_underpaid: ofPurchase(isStillToPay, purchases.purchaseUnderpaidMessage),
  purchase_expired: ofPurchase(is('expired'), purchases.purchaseExpiredMessage),
  purchase_failed: ofPurchase(is('failed'), purchases.purchaseFailedMessage),
  purchase_topped_up: ofSurplus,
  purchase_reversed: ofPurchase(isReversed, purchases.purchaseReversedMessage),
  purchase_withdrawn: (services, letter, params) =>
    composeWithdrawal(services, letter, params, null),
  purchase_refund_listed: ofRefunds,
  purchase_refund_paid: ofRefundPaid,
  refund_claimed: ofClaim(['claimed'], claims.refundClaimedMessage),
  refund_claim_cancelled: ofClaim(['cancelled'], claims.refundClaimCancelledMessage),
  refund_claim_rejected: ofClaim(['rejected'], claims.refundClaimRejectedMessage),
  refund_claim_paid: ofClaim(['confirmed'], claims.refundClaimPaidMessage),
  purchase_foreign_transfer: ofPurchase(() => true, purchases.purchaseForeignTransferMessage),
  referral_rewarded: ofReward('completed', purchases.referralRewardedMessage),
  referral_reward_reversed: ofReward('failed', purchases.referralRewardReversedMessage),
  wallet_set: ofWallet(isSet, wallets.walletSetMessage),
  wallet_set_for_you: ofWallet(isSet, wallets.walletSetForYouMessage),
  wallet_change_asked: ofAskedChange,
  wallet_change_waits: ofWallet(isSet, wallets.walletChangeWaitsMessage),
  wallet_change_soon: ofWallet(isWaitingStill, wallets.walletChangeSoonMessage),
  wallet_change_cancelled: ofWallet(
    (wallet) => !isSet(wallet),
    wallets.walletChangeCancelledMessage,
  ),
  wallet_wanted: ofMissingWallet,
  delivery_claimable: ofDelivery(['published'], deliveries.deliveryClaimableMessage),
  delivery_delivered: ofDelivery(['delivered'], deliveries.deliveryDeliveredMessage),
  delivery_expiring: ofDelivery(['published'], deliveries.deliveryExpiringMessage),
}

function isPageLanguage(language: string | undefined): language is PageLanguage {
  return pageLanguages.some((known) => known === language)
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(composers, kind)
}
