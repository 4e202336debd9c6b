import type { PageLanguage } from '#domain/language.ts'
import { account } from './de/account.ts'
import { letter } from './de/letter.ts'
import { purchase } from './de/purchase.ts'
import { receipt } from './de/receipt.ts'
import { english, type MailTexts } from './english.ts'

export const mailTexts: Record<PageLanguage, MailTexts> = {
  en: english,
  de: { letter, account, purchase, receipt },
}
