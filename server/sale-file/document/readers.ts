import { type CamelKeys, camelKeys } from '#domain/key-case.ts'
import type { Place } from './place.ts'

/**
 * Reads one kind of value. `read` returns undefined after reporting every fault, so that the
 * readers around it continue and find theirs.
 */
export type Reader<T> = {
  /** The expected value, for the middle of a message. */
  expected: string
  read(place: Place): T | undefined
}

/** A field of a map; one without a default is required. */
export type Field<T> = { reader: Reader<T>; fallback: { value: T } | null }

export function required<T>(reader: Reader<T>): Field<T> {
  return { reader, fallback: null }
}

export function optional<T, D = T>(reader: Reader<T>, value: D): Field<T | D> {
  return { reader, fallback: { value } }
}

/** A value written as one plain or quoted scalar. */
export function scalar<T>(expected: string, parse: (text: string) => T | undefined): Reader<T> {
  return {
    expected,
    read(place) {
      const value = place.text === undefined ? undefined : parse(place.text)
      return value === undefined ? place.mismatch(expected) : value
    },
  }
}

/** Converts or rejects the value of another reader. */
export function converted<T, U>(
  reader: Reader<T>,
  convert: (value: T, place: Place) => U | undefined,
): Reader<U> {
  return {
    expected: reader.expected,
    read(place) {
      const value = reader.read(place)
      return value === undefined ? undefined : convert(value, place)
    },
  }
}

type Fields = Record<string, Field<unknown>>
type ValueOf<F> = F extends Field<infer T> ? T : never
/** The values of a map whose every field was right. */
export type Values<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> }
/** The same, with undefined for each faulty field. */
export type Readings<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> | undefined }

type Checks<F extends Fields> = {
  /** Checks several fields together; each of them may be undefined. */
  check?: (readings: Readings<F>, place: Place) => void
}
type Build<F extends Fields, T> = { build: (values: Values<F>) => T }

/** A map with known keys. Unless it is built otherwise, its values have the same names. */
export function section<F extends Fields, T>(
  expected: string,
  fields: F,
  how: Checks<F> & Build<F, T>,
): Reader<T>
export function section<F extends Fields>(
  expected: string,
  fields: F,
  how?: Checks<F>,
): Reader<CamelKeys<Values<F>>>
export function section<F extends Fields>(
  expected: string,
  fields: F,
  { check, build = camelKeys }: Checks<F> & Partial<Build<F, unknown>> = {},
): Reader<unknown> {
  return {
    expected,
    read(place) {
      const entries = place.entries()
      if (entries === undefined) return place.mismatch(expected)
      const names = Object.keys(fields)
      for (const entry of entries) {
        if (names.includes(entry.key)) continue
        entry.keyPlace.mismatch(`one of the keys ${names.join(', ')}`)
      }
      const readings = Object.fromEntries(
        names.map((name) => [name, readField(place.at(name), fields[name] as Field<unknown>)]),
      ) as Readings<F>
      check?.(readings, place)
      return isWhole(readings) ? build(readings) : undefined
    },
  }
}

/** Reads a field or returns its default. Undefined if a fault was reported. */
export function readField<T>(place: Place, { reader, fallback }: Field<T>): T | undefined {
  if (!place.isAbsent) return reader.read(place)
  if (fallback !== null) return fallback.value
  return place.mismatch(reader.expected)
}

function isWhole<F extends Fields>(readings: Readings<F>): readings is Values<F> {
  return Object.values(readings).every((value) => value !== undefined)
}

type ListLimits = { expected: string; countMin?: number; countMax: number }

/** A list. `entry` makes a new reader for each list, which may compare entries. */
export function list<T>(entry: () => Reader<T>, limits: ListLimits): Reader<readonly T[]> {
  const { expected, countMin = 0, countMax } = limits
  return {
    expected,
    read(place) {
      const items = place.items()
      if (items === undefined) return place.mismatch(expected)
      if (items.length < countMin || items.length > countMax) {
        return place.fault(`expected ${expected}, found ${items.length} entries`)
      }
      const reader = entry()
      return allOf(items.map((item) => readField(item, required(reader))))
    },
  }
}

type RecordLimits = { expected: string; key: Reader<string>; countMax: number }

/** A map with arbitrary keys. */
export function record<T>(
  value: Reader<T>,
  { expected, key, countMax }: RecordLimits,
): Reader<Readonly<Record<string, T>>> {
  return {
    expected,
    read(place) {
      const entries = place.entries()
      if (entries === undefined) return place.mismatch(expected)
      if (entries.length > countMax) {
        return place.fault(`expected ${expected}, found ${entries.length} entries`)
      }
      const pairs = entries.map((entry) => {
        const isKeyRight = key.read(entry.keyPlace) !== undefined
        const read = readField(entry.value, required(value))
        return isKeyRight && read !== undefined ? ([entry.key, read] as const) : undefined
      })
      const whole = allOf(pairs)
      return whole && Object.fromEntries(whole)
    },
  }
}

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const whole = values.filter((value) => value !== undefined)
  return whole.length === values.length ? whole : undefined
}

/** Reports values that occur more than once. */
export function unique(what: string): (value: string | undefined, place: Place) => void {
  const seen = new Set<string>()
  return (value, place) => {
    if (value === undefined) return
    if (seen.has(value)) place.fault(`expected ${what} of its own, found ${value} again`)
    seen.add(value)
  }
}
