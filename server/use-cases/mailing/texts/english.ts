import { account } from './en/account.ts'
import { letter } from './en/letter.ts'
import { purchase } from './en/purchase.ts'
import { receipt } from './en/receipt.ts'

export const english = { letter, account, purchase, receipt }

/** Every text of the mails; the compiler names what a language lacks. */
export type MailTexts = typeof english
