import type { PageLanguage } from '#domain/language.ts'
import { linearSchedule } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { MailKind } from '#server/database/books/outbox.ts'
import type { PurchaseView, RewardView } from '#server/use-cases/purchases/transaction-view.ts'
import * as account from '#server/use-cases/mailing/texts/account-messages.ts'
import { type Letter, type Message, newLetter } from '#server/use-cases/mailing/texts/letter.ts'
import * as claims from '#server/use-cases/mailing/texts/claim-messages.ts'
import * as purchases from '#server/use-cases/mailing/texts/purchase-messages.ts'
import { purchaseCompletedMessage } from '#server/use-cases/mailing/texts/receipt-message.ts'
import * as deliveries from '#server/use-cases/mailing/texts/delivery-messages.ts'
import * as wallets from '#server/use-cases/mailing/texts/wallet-messages.ts'
import {
  aPaymentToken,
  aSale,
  dollars,
  eth,
  minute,
  percent,
  priced,
  tokens,
} from './domain-builders.ts'

export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
export const HASH = `0x${'5c504ed432cb51138bcf09aa5e8a410d'.repeat(2)}`
const EXPLORER_URL = `https://etherscan.io/tx/${HASH}`

/** A sale that says everything it can, with a German risk statement. */
export function aTalkativeSale(project: Partial<Sale['project']> = {}): Sale {
  const sale = aSale()
  const statement = 'You can lose everything that you put in.'
  return {
    ...sale,
    project: {
      ...sale.project,
      contactEmail: 'help@example.com',
      seller: { name: 'Example Ltd', place: 'London, United Kingdom', registration: '01234567' },
      risk: { statement, summary: [] },
      ...project,
    },
    vesting: {
      startsAt: new Date('2030-07-01T00:00:00Z'),
      ...linearSchedule({ first: percent('1'), months: 5, cliff: null }),
    },
    translations: { de: { [statement]: 'Sie können alles verlieren, was Sie einsetzen.' } },
  }
}

export function aLetter(letter: Partial<Omit<Letter, 'texts'>> = {}): Letter {
  return newLetter({
    language: 'en',
    name: { first: 'Ada', last: 'Lovelace' },
    sale: aTalkativeSale(),
    publicUrl: 'https://presale.example',
    isSandbox: false,
    now: minute(0),
    ...letter,
  })
}

/** $1,000 for 10,000 tokens and 1,500 of bonuses; its time to pay ends at 0:30 UTC. */
export function aPurchaseView(purchase: Partial<PurchaseView> = {}): PurchaseView {
  return {
    type: 'purchase',
    id: '3f9a12bc-7d10-4c55-9a01-0123456789ab',
    userId: 'a2b9a1d2-98c5-44a4-a8c7-0123456789ab',
    stageId: 'stage-1',
    termsDate: '2030-01-01',
    withdrawableUntil: null,
    withdrawnAt: null,
    status: 'pending',
    reason: null,
    paymentToken: aPaymentToken(),
    address: ADDRESS,
    paymentId: 'payment-1',
    initialUsd: dollars('1000'),
    initialCrypto: eth('0.39780927'),
    actualUsd: null,
    actualCrypto: null,
    createdAt: minute(0),
    expiresAt: minute(30),
    priceSources: [],
    completedAt: null,
    tokenPrice: priced('0.1'),
    tokens: {
      base: tokens('10000'),
      bonuses: { base_bonus: tokens('1000'), spending_bonus: tokens('500') },
      total: tokens('11500'),
    },
    due: eth('0.39780927'),
    paymentUri: null,
    confirmations: 0,
    requiredConfirmations: 2,
    receipts: [],
    refunds: [],
    ...purchase,
  }
}

const receipt = {
  id: 'receipt-1',
  amount: eth('0.39780927'),
  confirmations: 2,
  requiredConfirmations: 2,
  seenAt: minute(10),
  transactionHash: HASH,
  explorerUrl: EXPLORER_URL,
}

/** The purchase of {@link aPurchaseView}, paid exactly and credited at 0:12 UTC. */
export function aCompletedView(purchase: Partial<PurchaseView> = {}): PurchaseView {
  return aPurchaseView({
    status: 'completed',
    actualUsd: dollars('1000'),
    actualCrypto: eth('0.39780927'),
    completedAt: minute(12),
    due: eth('0'),
    confirmations: 2,
    receipts: [receipt],
    ...purchase,
  })
}

const claim: claims.ClaimDetails = {
  purchaseId: '3f9a12bc-7d10-4c55-9a01-0123456789ab',
  amount: '0.3 ETH',
  fee: '0.001 ETH',
  pays: '0.299 ETH',
  network: 'Ethereum (ERC-20)',
  address: ADDRESS,
  approvableAt: minute(24 * 60),
  reason: null,
  hash: null,
  explorerUrl: null,
}

const reward: RewardView = {
  type: 'referral',
  id: 'reward-1',
  userId: 'user-1',
  status: 'completed',
  reason: null,
  usd: dollars('50'),
  createdAt: minute(0),
  completedAt: minute(1),
  tokenPrice: priced('0.1'),
  tokens: { base: tokens('500'), bonuses: {}, total: tokens('500') },
}

const wallet: wallets.WalletDetails = {
  address: ADDRESS,
  network: 'Ethereum (ERC-20)',
  former: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  effectiveAt: minute(48 * 60),
  token: 'a-token_1',
  endedBy: 'owner',
}

export const delivery: deliveries.DeliveryDetails = {
  tokens: '11,500 HUH',
  tool: 'uniswap',
  wallet: ADDRESS,
  isWithheld: false,
  receiver: null,
  expiresAt: minute(7 * 24 * 60),
  hash: null,
  explorerUrl: null,
}

/** A mail of each kind, in the words of one language. */
export function everyMail(
  language: PageLanguage,
  changes: Partial<Omit<Letter, 'texts'>> = {},
): Record<MailKind, Message> {
  const letter = aLetter({ language, ...changes })
  const link = { token: 'a-token_1', endsAt: minute(30) }
  const session = { device: 'Chrome on Windows', address: '203.0.113.9', at: minute(5) }
  const pending = aPurchaseView()
  return {
    verify_email: account.verifyEmailMessage(letter, { ...link, endsAt: minute(24 * 60) }),
    reset_password: account.resetPasswordMessage(letter, link),
    password_changed: account.passwordChangedMessage(letter),
    new_login: account.newLoginMessage(letter, session),
    session_reused: account.sessionReusedMessage(letter, session),
    two_factor_on: account.twoFactorOnMessage(letter),
    two_factor_off: account.twoFactorOffMessage(letter),
    recovery_code_used: account.recoveryCodeUsedMessage(letter, 7),
    recovery_codes_renewed: account.recoveryCodesRenewedMessage(letter),
    account_erased: account.accountErasedMessage(letter),
    wallet_wanted: account.walletWantedMessage(letter),
    purchase_created: purchases.purchaseCreatedMessage(letter, pending),
    purchase_processing: purchases.purchaseProcessingMessage(
      letter,
      aPurchaseView({ status: 'processing', receipts: [receipt] }),
    ),
    purchase_completed: purchaseCompletedMessage(letter, aCompletedView()),
    purchase_underpaid: purchases.purchaseUnderpaidMessage(
      letter,
      aPurchaseView({ reason: 'underpaid', due: eth('0.1') }),
    ),
    purchase_expired: purchases.purchaseExpiredMessage(
      letter,
      aPurchaseView({ status: 'expired' }),
    ),
    purchase_failed: purchases.purchaseFailedMessage(
      letter,
      aPurchaseView({ status: 'failed', receipts: [receipt] }),
    ),
    purchase_topped_up: purchases.purchaseToppedUpMessage(letter, aCompletedView(), tokens('500')),
    purchase_reversed: purchases.purchaseReversedMessage(
      letter,
      aCompletedView({ reason: 'underpaid' }),
    ),
    purchase_withdrawn: purchases.purchaseWithdrawnMessage(
      letter,
      aCompletedView({ status: 'failed' }),
      {
        at: minute(90),
        email: 'ada@example.com',
        isErased: false,
      },
    ),
    purchase_refund_listed: purchases.purchaseRefundListedMessage(letter, aCompletedView(), [
      { receiptId: 'receipt-1', amount: eth('0.1'), why: 'overpaid' },
      { receiptId: 'receipt-2', amount: eth('0.2'), why: 'late' },
    ]),
    purchase_refund_paid: purchases.purchaseRefundPaidMessage(letter, aCompletedView(), {
      amount: '0.3 ETH',
      network: 'Ethereum (ERC20)',
      why: 'late',
      hash: HASH,
      explorerUrl: EXPLORER_URL,
    }),
    refund_claimed: claims.refundClaimedMessage(letter, claim),
    refund_claim_cancelled: claims.refundClaimCancelledMessage(letter, claim),
    refund_claim_rejected: claims.refundClaimRejectedMessage(letter, {
      ...claim,
      reason: 'This address is one of an exchange that is closed.',
    }),
    refund_claim_paid: claims.refundClaimPaidMessage(letter, {
      ...claim,
      hash: HASH,
      explorerUrl: EXPLORER_URL,
    }),
    purchase_foreign_transfer: purchases.purchaseForeignTransferMessage(letter, aCompletedView()),
    referral_rewarded: purchases.referralRewardedMessage(letter, reward),
    referral_reward_reversed: purchases.referralRewardReversedMessage(letter, {
      ...reward,
      status: 'failed',
      completedAt: null,
    }),
    wallet_set: wallets.walletSetMessage(letter, wallet),
    wallet_set_for_you: wallets.walletSetForYouMessage(letter, wallet),
    wallet_change_asked: wallets.walletChangeAskedMessage(letter, wallet),
    wallet_change_waits: wallets.walletChangeWaitsMessage(letter, wallet),
    wallet_change_soon: wallets.walletChangeSoonMessage(letter, {
      ...wallet,
      effectiveAt: minute(24 * 60),
    }),
    wallet_change_cancelled: wallets.walletChangeCancelledMessage(letter, wallet),
    delivery_claimable: deliveries.deliveryClaimableMessage(letter, delivery),
    delivery_delivered: deliveries.deliveryDeliveredMessage(letter, {
      ...delivery,
      receiver: `0x${'ab'.repeat(20)}`,
      hash: HASH,
      explorerUrl: EXPLORER_URL,
    }),
    delivery_expiring: deliveries.deliveryExpiringMessage(letter, delivery),
  }
}
