import type { Translate } from '#web/lib/api/call.ts'
import type { accountPages } from './en/account-pages.ts'
import type { buy } from './en/buy.ts'
import type { dashboard } from './en/dashboard.ts'
import type { delivery } from './en/delivery.ts'
import type { legal } from './en/legal.ts'
import type { messages } from './en/messages.ts'
import type { proof } from './en/proof.ts'
import type { offer } from './en/offer.ts'
import type { receivingWallet } from './en/receiving-wallet.ts'
import type { refundClaim } from './en/refund-claim.ts'
import type { salePage } from './en/sale-page.ts'
import type { salePanel } from './en/sale-panel.ts'
import type { promotions } from './en/promotions.ts'
import type { referrals } from './en/referrals.ts'
import type { sandbox } from './en/sandbox.ts'
import type { security } from './en/security.ts'
import type { tokenPicker } from './en/token-picker.ts'
import type { transaction } from './en/transaction.ts'
import type { transactionList } from './en/transaction-list.ts'
import type { wallet } from './en/wallet.ts'
import type { withdrawal } from './en/withdrawal.ts'

/**
 * Every text of a language. English has no such object: each part of it is fetched with the screens
 * that show it, by its hook in `use-….ts`.
 */
export interface Texts {
  messages: typeof messages
  accountPages: typeof accountPages
  tokenPicker: typeof tokenPicker
  promotions: typeof promotions
  dashboard: typeof dashboard
  buy: typeof buy
  transaction: typeof transaction
  transactionList: typeof transactionList
  wallet: typeof wallet
  withdrawal: typeof withdrawal
  delivery: typeof delivery
  security: typeof security
  legal: typeof legal
  offer: typeof offer
  proof: typeof proof
  salePage: typeof salePage
  salePanel: typeof salePanel
  referrals: typeof referrals
  refundClaim: typeof refundClaim
  receivingWallet: typeof receivingWallet
  sandbox: typeof sandbox
}

/** A language other than English, in which the server has no sentences of its own. */
export interface Translation extends Texts {
  refusals: Translate
}
