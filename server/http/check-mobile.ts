import { isPossiblePhoneNumber } from 'libphonenumber-js/max'

import { Refusal } from '#domain/refusal.ts'

/** Refuses a number that no country could have given out. */
export function checkMobile(mobile: string | null | undefined): void {
  if (mobile === null || mobile === undefined || isPossiblePhoneNumber(mobile)) return
  throw new Refusal('InvalidInput', {
    errors: [{ path: 'mobile', message: 'Enter a phone number that exists in that country' }],
  })
}
