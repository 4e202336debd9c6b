import { isPossiblePhoneNumber, parsePhoneNumberWithError } from 'libphonenumber-js/max'

import { wrongField } from '#domain/refusal.ts'

/**
 * A phone number in its one form: `+44 07911123456` is `+44 7911123456`. Refuses with
 * `InvalidInput` a number that no country could have given out.
 */
export function readMobile<Given extends string | null | undefined>(mobile: Given): Given | string {
  if (mobile === null || mobile === undefined) return mobile
  const [dialCode = ''] = mobile.split(' ')
  if (isPossiblePhoneNumber(mobile)) {
    const { number } = parsePhoneNumberWithError(mobile)
    if (number.startsWith(dialCode)) return `${dialCode} ${number.slice(dialCode.length)}`
  }
  throw wrongField('mobile', 'Enter a phone number that exists in that country')
}
