import type { Messages } from './en.ts'
import type { buy } from './en/buy.ts'
import type { dashboard } from './en/dashboard.ts'
import type { legal } from './en/legal.ts'
import type { sandbox } from './en/sandbox.ts'
import type { security } from './en/security.ts'
import type { transaction } from './en/transaction.ts'
import type { wallet } from './en/wallet.ts'

/**
 * Every text of a language. The English ones have no such object: each part of them is fetched with
 * the screens that show it.
 */
export interface Texts {
  messages: Messages
  dashboard: typeof dashboard
  buy: typeof buy
  transaction: typeof transaction
  wallet: typeof wallet
  security: typeof security
  legal: typeof legal
  sandbox: typeof sandbox
}
