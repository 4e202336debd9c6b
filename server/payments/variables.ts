import { inspect } from 'node:util'

import type { Secret } from '#server/ports/runtime.ts'

export type Variables = {
  /** The value of a variable, or `unset` if it is empty. An invalid one is reported by its name. */
  read<Value>(name: string, unset: Value, parse: (text: string) => Value | Fault): Value
  /** The variables that are set and begin with `prefix`, each with what follows it. */
  startingWith(prefix: string): readonly { name: string; suffix: string }[]
  /** Reports a fault that concerns several values; the sentence names the variable. */
  report(sentence: string): void
}

/**
 * What a parser returns for an invalid value: "must be a whole number", to follow the variable’s
 * name. It never repeats the value, which may be secret.
 */
export class Fault {
  readonly expected: string

  constructor(expected: string) {
    this.expected = expected
  }
}

/** A parser of whole numbers, written without a sign or an exponent. */
export const parseWhole =
  (min: number, max: number) =>
  (text: string): number | Fault => {
    const isWhole = /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max
    return isWhole ? Number(text) : new Fault(`must be a whole number from ${min} to ${max}`)
  }

/**
 * A longer grace would withhold tokens from others, and keep the price for somebody who is late.
 */
const GRACE_SECONDS_MAX = 3_600

/** How long after the expiry a payment is still in time. */
export const parseGraceSeconds = parseWhole(0, GRACE_SECONDS_MAX)

/** A sentence for each variable that has no value, or an empty list. */
export function listUnset(values: Readonly<Record<string, unknown>>, because: string): string[] {
  return Object.entries(values)
    .filter(([, value]) => value === null || (Array.isArray(value) && value.length === 0))
    .map(([name]) => `${name} must be set: ${because}`)
}

const hidden = () => '[secret]'

/** Boxes a value so that it prints as `[secret]` in logs, JSON and error reports alike. */
export function secret(value: string): Secret {
  return Object.freeze({
    reveal: () => value,
    toString: hidden,
    toJSON: hidden,
    [inspect.custom]: hidden,
  })
}

/** `report` gets every fault, as a sentence that names its variable. */
export function readVariables(
  environment: Readonly<Record<string, string | undefined>>,
  report: Variables['report'],
): Variables {
  return {
    report,
    read(name, unset, parse) {
      const text = environment[name]
      if (text === undefined || text === '') return unset
      const value = parse(text)
      if (!(value instanceof Fault)) return value
      report(`${name} ${value.expected}`)
      return unset
    },
    startingWith: (prefix) =>
      Object.keys(environment)
        .filter((name) => name.startsWith(prefix) && environment[name])
        .toSorted()
        .map((name) => ({ name, suffix: name.slice(prefix.length) })),
  }
}
