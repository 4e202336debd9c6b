import type { PageLanguage } from '#domain/language.ts'
import { account } from './de/account.ts'
import { delivery } from './de/delivery.ts'
import { letter } from './de/letter.ts'
import { purchase } from './de/purchase.ts'
import { receipt } from './de/receipt.ts'
import { refund } from './de/refund.ts'
import { wallet } from './de/wallet.ts'
import { english, type MailTexts } from './english.ts'

export const mailTexts: Record<PageLanguage, MailTexts> = {
  en: english,
  de: { letter, account, purchase, receipt, refund, wallet, delivery },
}
