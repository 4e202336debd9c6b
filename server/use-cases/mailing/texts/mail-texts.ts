import type { PageLanguage } from '#domain/language.ts'
import { account as germanAccount } from './de/account.ts'
import { letter as germanLetter } from './de/letter.ts'
import { purchase as germanPurchase } from './de/purchase.ts'
import { receipt as germanReceipt } from './de/receipt.ts'
import { account } from './en/account.ts'
import { letter } from './en/letter.ts'
import { purchase } from './en/purchase.ts'
import { receipt } from './en/receipt.ts'

const english = { letter, account, purchase, receipt }

/** Every text of the mails; the compiler names what a language lacks. */
export type MailTexts = typeof english

export const mailTexts: Record<PageLanguage, MailTexts> = {
  en: english,
  de: {
    letter: germanLetter,
    account: germanAccount,
    purchase: germanPurchase,
    receipt: germanReceipt,
  },
}
