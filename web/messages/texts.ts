import type { buy } from './en/buy.ts'
import type { dashboard } from './en/dashboard.ts'
import type { legal } from './en/legal.ts'
import type { messages } from './en/messages.ts'
import type { offer } from './en/offer.ts'
import type { salePage } from './en/sale-page.ts'
import type { salePanel } from './en/sale-panel.ts'
import type { referrals } from './en/referrals.ts'
import type { sandbox } from './en/sandbox.ts'
import type { security } from './en/security.ts'
import type { transaction } from './en/transaction.ts'
import type { transactionList } from './en/transaction-list.ts'
import type { wallet } from './en/wallet.ts'

/**
 * Every text of a language. The English ones have no such object: each part of them is fetched with
 * the screens that show it, by its hook in `use-….ts`.
 */
export interface Texts {
  messages: typeof messages
  dashboard: typeof dashboard
  buy: typeof buy
  transaction: typeof transaction
  transactionList: typeof transactionList
  wallet: typeof wallet
  security: typeof security
  legal: typeof legal
  offer: typeof offer
  salePage: typeof salePage
  salePanel: typeof salePanel
  referrals: typeof referrals
  sandbox: typeof sandbox
}
