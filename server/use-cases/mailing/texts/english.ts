import { account } from './en/account.ts'
import { delivery } from './en/delivery.ts'
import { letter } from './en/letter.ts'
import { purchase } from './en/purchase.ts'
import { receipt } from './en/receipt.ts'
import { refund } from './en/refund.ts'
import { wallet } from './en/wallet.ts'

export const english = { letter, account, purchase, receipt, refund, wallet, delivery }

/** Every text of the mails; the compiler names what a translation lacks. */
export type MailTexts = typeof english
