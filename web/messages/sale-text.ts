import { useLanguage } from './language.ts'

interface Translated {
  translations: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Translates a text of the sale file into the chosen language, if the file has a translation. */
export function useSaleText(project: Translated | undefined): (text: string) => string {
  const { language } = useLanguage()
  const texts = project?.translations[language]
  return (text) => (texts !== undefined && Object.hasOwn(texts, text) ? texts[text] : null) ?? text
}
