import { isCountryCode } from '#domain/accounts/country.ts'
import * as z from 'zod/mini'

/**
 * Separate from the other shapes: the page sends one, but does not need the list of all countries.
 */
export const CountryCode = z
  .string({ error: "Can't be empty" })
  .check(
    z.minLength(1, { error: "Can't be empty" }),
    z.refine(isCountryCode, { error: 'Must be the two-letter code of a country' }),
  )
