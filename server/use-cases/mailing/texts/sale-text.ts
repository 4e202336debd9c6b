import type { PageLanguage } from '#domain/language.ts'
import type { Sale } from '#domain/sale/sale.ts'

/** Turns an English text of the sale file into a language, where the file translates it. */
export function saleText(
  { translations }: Pick<Sale, 'translations'>,
  language: PageLanguage,
): (text: string) => string {
  const texts = translations[language] ?? {}
  return (text) => (Object.hasOwn(texts, text) ? texts[text] : undefined) ?? text
}
