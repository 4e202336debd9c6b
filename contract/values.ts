import { fromWireNumber, USD_DECIMALS, usd } from '#domain/money.ts'
import * as z from 'zod/mini'

const USD_LIMIT = 10n ** BigInt(12 + USD_DECIMALS)

function isUsdAmount(value: number): boolean {
  const amount = fromWireNumber(value, USD_DECIMALS)
  return amount !== null && amount > 0n && amount < USD_LIMIT
}

/** Incoming dollars: a plain positive number, at most 12 integer digits and 6 decimals. */
export const UsdInput = z.pipe(
  z.number({ error: 'Enter an amount in dollars as a plain number' }).check(
    z.refine(isUsdAmount, {
      error: 'Must be more than 0, with at most 12 digits and 6 decimals',
    }),
  ),
  z.transform((value) => usd(fromWireNumber(value, USD_DECIMALS) ?? 0n)),
)

/** An outgoing amount: a JSON number of at most 15 significant digits, never negative. */
export const WireAmount = z.number().check(z.minimum(0))

export const DecimalString = z
  .string({ error: 'Must be an amount as a plain decimal' })
  .check(z.regex(/^\d+(\.\d+)?$/, { error: 'Must be an amount as a plain decimal' }))

export const Instant = z.iso.datetime()

export const InstantInput = z.pipe(
  z.iso.datetime({ error: 'Must be an instant in UTC, such as 2026-01-31T12:00:00Z' }),
  z.transform((text) => new Date(text)),
)
