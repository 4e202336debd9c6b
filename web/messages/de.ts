import { buy } from './de/buy.ts'
import { dashboard } from './de/dashboard.ts'
import { legal } from './de/legal.ts'
import { messages } from './de/messages.ts'
import { offer } from './de/offer.ts'
import { salePage } from './de/sale-page.ts'
import { salePanel } from './de/sale-panel.ts'
import { referrals } from './de/referrals.ts'
import { sandbox } from './de/sandbox.ts'
import { security } from './de/security.ts'
import { transaction } from './de/transaction.ts'
import { transactionList } from './de/transaction-list.ts'
import { wallet } from './de/wallet.ts'
import type { Texts } from './texts.ts'

/** Every text of the interface in German, fetched as one file once German is chosen. */
export const german: Texts = {
  messages,
  dashboard,
  buy,
  transaction,
  transactionList,
  wallet,
  security,
  legal,
  offer,
  salePage,
  salePanel,
  referrals,
  sandbox,
}
