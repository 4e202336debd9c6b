import { accountPages } from './de/account-pages.ts'
import { buy } from './de/buy.ts'
import { dashboard } from './de/dashboard.ts'
import { delivery } from './de/delivery.ts'
import { legal } from './de/legal.ts'
import { messages } from './de/messages.ts'
import { proof } from './de/proof.ts'
import { offer } from './de/offer.ts'
import { receivingWallet } from './de/receiving-wallet.ts'
import { refundClaim } from './de/refund-claim.ts'
import { salePage } from './de/sale-page.ts'
import { salePanel } from './de/sale-panel.ts'
import { refusals } from './de/refusals.ts'
import { promotions } from './de/promotions.ts'
import { referrals } from './de/referrals.ts'
import { sandbox } from './de/sandbox.ts'
import { security } from './de/security.ts'
import { tokenPicker } from './de/token-picker.ts'
import { transaction } from './de/transaction.ts'
import { transactionList } from './de/transaction-list.ts'
import { wallet } from './de/wallet.ts'
import { withdrawal } from './de/withdrawal.ts'
import type { Translation } from './texts.ts'

/** Every text of the interface in German, fetched as one file once German is chosen. */
export const german: Translation = {
  messages,
  accountPages,
  tokenPicker,
  promotions,
  dashboard,
  buy,
  transaction,
  transactionList,
  wallet,
  withdrawal,
  delivery,
  security,
  legal,
  offer,
  proof,
  salePage,
  salePanel,
  referrals,
  refundClaim,
  receivingWallet,
  sandbox,
  refusals,
}
