import { isCountryCode } from '#domain/accounts/country.ts'
import * as z from 'zod/mini'

/** Apart from the other shapes: the page sends one, and needs no list of all countries for it. */
export const CountryCode = z
  .string({ error: "Can't be empty" })
  .check(z.refine(isCountryCode, { error: 'Must be the two-letter code of a country' }))
