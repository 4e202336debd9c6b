import type { Plugin } from 'vite'

const LOCALES = ['en-US', 'de-DE']

/** The component library has its texts in thirty languages; the page needs only its own. */
export function onlyOwnLocales(): Plugin {
  return {
    name: 'only-own-locales',
    enforce: 'pre',
    resolveId(source, importer) {
      const locale = /([a-z]{2}-[A-Z]{2})\.mjs$/.exec(source)?.[1]
      if (locale === undefined || LOCALES.includes(locale)) return null
      if (!/react-(?:aria|stately)/.test(importer ?? '')) return null
      return this.resolve(source.replace(locale, 'en-US'), importer, { skipSelf: true })
    },
  }
}
