import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A phone number, written as people in its country write it or with its own dial code, in its
 * stored form: dial code, one space, the digits, without the zero that is only dialled within the
 * country. Null for a number that cannot exist.
 */
export function readMobile(countryCode: string, text: string): string | null {
  if (!isSupportedCountry(countryCode)) return null
  const number = parsePhoneNumberFromString(text, { defaultCountry: countryCode, extract: false })
  if (number?.isPossible() !== true) return null
  return `+${number.countryCallingCode} ${number.nationalNumber}`
}
