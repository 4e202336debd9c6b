import { dialCodes } from '#domain/accounts/dial-codes.ts'

export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string
  /** With its plus sign. */
  dialCode: string
  flag: string
  flagUrl: string | undefined
  isPreferred: boolean
}

export interface NamedCountry extends Country {
  name: string
}

const flagFiles = import.meta.glob<string>(
  '../../../../node_modules/country-flag-icons/3x2/[A-Z][A-Z].svg',
  { query: '?url&no-inline', import: 'default', eager: true },
)

const flagUrls = new Map(
  Object.entries(flagFiles).map(([file, url]) => [file.slice(-'GB.svg'.length, -4), url]),
)

/** Specification sections 3 and 9. */
const PREFERRED = ['AU', 'IN', 'AE', 'GB', 'US']
export const DEFAULT_COUNTRY = 'GB'

const countries: readonly Country[] = dialCodes
  .trim()
  .split(/\s+/)
  .map((entry) => countryOf(entry.slice(0, 2), `+${entry.slice(2)}`))

const namesIn = keptByLanguage((language) => new Intl.DisplayNames(language, { type: 'region' }))

/**
 * Every country by its name in a language: the preferred ones first, the others by name. The first
 * name in a language takes a browser long, so this waits until somebody sees names.
 */
export const countriesIn = keptByLanguage((language): readonly NamedCountry[] => {
  const { compare } = new Intl.Collator(language)
  return countries
    .map((country) => ({ ...country, name: countryName(country.code, language) }))
    .toSorted(
      (one, other) =>
        Number(other.isPreferred) - Number(one.isPreferred) || compare(one.name, other.name),
    )
})

export function countryName(code: string, language: string): string {
  return namesIn(language).of(code) ?? code
}

export function findCountry(code: string): Country | undefined {
  return countries.find((country) => country.code === code)
}

function keptByLanguage<Kept>(make: (language: string) => Kept): (language: string) => Kept {
  const known = new Map<string, Kept>()
  return (language) => {
    const kept = known.get(language) ?? make(language)
    known.set(language, kept)
    return kept
  }
}

function countryOf(code: string, dialCode: string): Country {
  return {
    code,
    dialCode,
    flag: String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0))),
    flagUrl: flagUrls.get(code),
    isPreferred: PREFERRED.includes(code),
  }
}

/**
 * A stored number as the form has it. Several countries share a dial code: the user's own country
 * is taken if it fits, or else a preferred one, or else the first by name.
 */
export function fromMobile(mobile: string | null, nationality: string) {
  if (mobile === null) return { countryCode: DEFAULT_COUNTRY, phoneNumber: '' }
  const [dialCode, phoneNumber = ''] = mobile.split(' ')
  const isFitting = (country: Country | undefined) => country?.dialCode === dialCode
  const own = findCountry(nationality)
  const chosen = isFitting(own) ? own : countriesIn('en').find(isFitting)
  return { countryCode: chosen?.code ?? DEFAULT_COUNTRY, phoneNumber }
}
