import * as z from 'zod/mini'

import type { Endpoint, Schema } from '#contract/endpoint.ts'
import { type FieldError, Refusal } from '#domain/refusal.ts'

const parts = ['params', 'query', 'headers', 'body'] as const
type Part = (typeof parts)[number]

const NO_BYTES = new Uint8Array()

/**
 * Parses each part that the endpoint declares. Refuses with `InvalidInput` and the first fault of
 * each field, since fixing that one may fix the others.
 */
export function readInput(
  endpoint: Endpoint,
  given: Record<Part, unknown> & { url: string },
): unknown {
  const input: Partial<Record<Part | 'bytes', unknown>> = {}
  if (endpoint.bytes) input.bytes = given.body instanceof Uint8Array ? given.body : NO_BYTES
  const errors = new Map<string, FieldError>()
  for (const part of parts) {
    const schema = endpoint[part]
    if (schema === undefined) {
      if (part === 'body' && !endpoint.bytes)
        for (const error of unknownKeys(given.body)) errors.set(error.path, error)
      continue
    }
    const isLeftOut = given[part] === undefined && mayBeLeftOut(schema)
    if (part === 'query') {
      const error = findUndecodable(given.url)
      if (error !== null) errors.set(error.path, error)
    }
    if (part === 'body' && !isLeftOut && !isObject(given.body)) throw new Refusal('MalformedBody')
    const parsed = z.safeParse(schema, given[part])
    if (parsed.success) input[part] = parsed.data
    const found = parsed.success
      ? listUnstorable(given[part])
      : parsed.error.issues.flatMap(toFieldErrors)
    // No resource can have such an address.
    if (parsed.success && part === 'params' && found.length > 0) throw new Refusal('NotFound')
    for (const error of found) if (!errors.has(error.path)) errors.set(error.path, error)
  }
  if (errors.size > 0) throw new Refusal('InvalidInput', { errors: [...errors.values()] })
  return input
}

const kinds: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** What a value must be whose schema has no words of its own. */
export function plainFault(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return `Must be ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `Must be ${issue.values.join(' or ')}`
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}${unitOf(issue.origin)}`
  if (issue.code === 'too_small' && issue.minimum === 1 && unitOf(issue.origin) !== '') {
    return "Can't be empty"
  }
  if (issue.code === 'too_small') return `Must be at least ${issue.minimum}${unitOf(issue.origin)}`
  return 'Is not in a form that this call takes'
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' items' : ''
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: path.join('.'), message: issue.message }]
  }
  return issue.keys.map((key) => unknownKey([...path, key].join('.')))
}

/** Fields of a body that the call does not take. */
function unknownKeys(body: unknown): FieldError[] {
  return typeof body === 'object' && body !== null ? Object.keys(body).map(unknownKey) : []
}

function unknownKey(path: string): FieldError {
  return { path, message: 'This field is not known here' }
}

/**
 * The first text of each field that a database cannot store and nobody types: one with the
 * character NUL, or with an unpaired surrogate. Keys count too.
 */
function listUnstorable(given: unknown): FieldError[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, value]) => findUnstorable(value, key) ?? [])
}

function findUnstorable(value: unknown, path: string): FieldError | null {
  if (typeof value === 'string') {
    const message = textFault(value)
    return message === null ? null : { path, message }
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = `${path}.${key}`
    const message = textFault(key)
    const found = message === null ? findUnstorable(inner, innerPath) : { path: innerPath, message }
    if (found !== null) return found
  }
  return null
}

function textFault(text: string): string | null {
  if (text.includes('\u0000')) return 'Must not contain the character NUL'
  return text.isWellFormed() ? null : 'Must not contain half a character'
}

/** The first query parameter that is not valid UTF-8. */
function findUndecodable(url: string): FieldError | null {
  const parameters = url.slice(url.indexOf('?') + 1).split('&')
  const wrong = parameters.find((parameter) => !isDecodable(parameter))
  if (wrong === undefined) return null
  return { path: wrong.split('=', 1)[0] ?? '', message: 'Must be encoded as UTF-8' }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** True for an optional body. */
export function mayBeLeftOut(schema: Schema): boolean {
  return z.safeParse(schema, undefined).success
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
