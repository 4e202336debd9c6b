import { pageLanguages } from '#domain/language.ts'
import type { Translations } from '#domain/sale/offer.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { translatableTexts } from '#domain/sale/translatable-texts.ts'
import type { Place } from './document/place.ts'
import { type Reader, record } from './document/readers.ts'
import { oneOf, text } from './document/values.ts'

/** As long as the longest text of a sale file. */
const TEXT_LENGTH_MAX = 2000
const TEXTS_MAX = 500

const [, ...otherLanguages] = pageLanguages

/** By language, the translation of each English text. */
export const translations: Reader<Translations> = record(
  record(text(TEXT_LENGTH_MAX), {
    expected: `a map of English texts to their translations, at most ${TEXTS_MAX}`,
    key: text(TEXT_LENGTH_MAX),
    countMax: TEXTS_MAX,
  }),
  {
    expected: `a map of languages (${otherLanguages.join(', ')}) to their texts`,
    key: oneOf(...otherLanguages),
    countMax: otherLanguages.length,
  },
)

type Readings = {
  [part in 'project' | 'stages' | 'promotions' | 'banners']: Sale[part] | undefined
}

/**
 * Reports translations of texts that are not in the file: otherwise a text that was changed without
 * its translation would be shown in English, and nobody would notice.
 */
export function checkTranslations(readings: Readings, place: Place): void {
  const { project, stages, promotions, banners } = readings
  // The texts of a faulty part are not known.
  if (!project || !stages || !promotions || !banners) return
  const texts = translatableTexts({ project, stages, promotions, banners })
  for (const language of place.entries() ?? []) {
    for (const { key, keyPlace } of language.value.entries() ?? []) {
      if (!texts.has(key)) keyPlace.mismatch('a text of this sale file, word for word')
    }
  }
}
