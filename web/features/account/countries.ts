import { dialCodes } from '#domain/dial-codes.ts'
import { flagUrlOf } from './flags.ts'

export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string
  name: string
  /** With its plus sign. */
  dialCode: string
  /** The flag as an emoji. */
  flag: string
  flagUrl: string | undefined
  isPreferred: boolean
}

/** Specification sections 3 and 9. */
const PREFERRED = ['AU', 'IN', 'AE', 'GB', 'US']
export const DEFAULT_COUNTRY = 'GB'

const known = new Map<string, readonly Country[]>()

/** Every country by its name in a language, the preferred ones first, otherwise by name. */
export function countriesIn(language: string): readonly Country[] {
  const countriesThere = known.get(language) ?? listCountries(language)
  known.set(language, countriesThere)
  return countriesThere
}

function listCountries(language: string): readonly Country[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const { compare } = new Intl.Collator(language)
  return dialCodes
    .trim()
    .split(/\s+/)
    .map((entry) => countryOf(entry.slice(0, 2), `+${entry.slice(2)}`, names))
    .toSorted(
      (one, other) =>
        Number(other.isPreferred) - Number(one.isPreferred) || compare(one.name, other.name),
    )
}

export const countries = countriesIn('en')

function countryOf(code: string, dialCode: string, names: Intl.DisplayNames): Country {
  return {
    code,
    dialCode,
    name: names.of(code) ?? code,
    flag: String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0))),
    flagUrl: flagUrlOf(code),
    isPreferred: PREFERRED.includes(code),
  }
}

export function findCountry(code: string): Country | undefined {
  return countries.find((country) => country.code === code)
}

/**
 * A stored number as the form has it. Several countries share a dial code: the user's own one is
 * taken where it fits, else a preferred one, else the first by name.
 */
export function fromMobile(mobile: string | null, nationality: string) {
  const [dialCode, phoneNumber = ''] = (mobile ?? '').split(' ')
  const fitting = countries.filter((country) => country.dialCode === dialCode)
  const chosen = fitting.find((country) => country.code === nationality) ?? fitting[0]
  return { countryCode: chosen?.code ?? DEFAULT_COUNTRY, phoneNumber }
}
