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

/** A text in a form of its own; `fault` is said of any other one, and `notText` of what is none. */
export const textLike = (form: RegExp, fault: string, notText = fault) =>
  z.string({ error: notText }).check(z.regex(form, { error: fault }))

const atMost = (lengthMax: number) => `Must be at most ${lengthMax} characters`

/** A text that is not empty; `fault` says what to give. */
export const textUpTo = (lengthMax: number, fault: string, tooLong = atMost(lengthMax)) =>
  z
    .string({ error: fault })
    .check(z.minLength(1, { error: fault }), z.maxLength(lengthMax, { error: tooLong }))

/** The same, without the spaces around it. */
export const trimmedUpTo = (lengthMax: number, fault: string, tooLong = atMost(lengthMax)) =>
  z
    .string({ error: fault })
    .check(z.trim(), z.minLength(1, { error: fault }), z.maxLength(lengthMax, { error: tooLong }))

export const DecimalString = textLike(/^\d+(\.\d+)?$/, 'Must be an amount as a plain decimal')

export const Instant = z.iso.datetime()

/**
 * For fields of replies that are not in the specification. This server always sends them; where
 * another one does not, they read as null or as an empty list. The others have a `_default`.
 */
export const nullIfAbsent = <S extends z.core.$ZodType>(schema: S) =>
  z._default(z.nullable(schema), null)
export const noneIfAbsent = <S extends z.core.$ZodType>(schema: S) =>
  z._default(z.array(schema), [])

export const InstantInput = z.pipe(
  z.iso.datetime({ error: 'Must be an instant in UTC, such as 2026-01-31T12:00:00Z' }),
  z.transform((text) => new Date(text)),
)
