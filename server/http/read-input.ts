import * as z from 'zod/mini'

import type { Endpoint, Schema } from '#contract/endpoint.ts'
import { type FieldError, Refusal } from '#domain/refusal.ts'

const parts = ['params', 'query', 'headers', 'body'] as const
type Part = (typeof parts)[number]

const NO_BYTES = new Uint8Array()

/**
 * Parses each part that the endpoint declares. Refuses with `InvalidInput` and the first fault of
 * each field: mending that one may mend the field's others.
 */
export function readInput(endpoint: Endpoint, given: Record<Part, unknown>): unknown {
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
    if (part === 'body' && !isLeftOut && !isObject(given.body)) throw new Refusal('MalformedBody')
    const parsed = z.safeParse(schema, given[part])
    if (parsed.success) input[part] = parsed.data
    const found = parsed.success
      ? findNul(given[part], [])
      : parsed.error.issues.flatMap(toFieldErrors)
    // An address with such a part names nothing that could be there.
    if (parsed.success && part === 'params' && found.length > 0) throw new Refusal('NotFound')
    for (const error of found) if (!errors.has(error.path)) errors.set(error.path, error)
  }
  if (errors.size > 0) throw new Refusal('InvalidInput', { errors: [...errors.values()] })
  return input
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: path.join('.'), message: issue.message }]
  }
  return issue.keys.map((key) => unknownKey([...path, key].join('.')))
}

/** What a call without a body was sent all the same. */
function unknownKeys(body: unknown): FieldError[] {
  return typeof body === 'object' && body !== null ? Object.keys(body).map(unknownKey) : []
}

function unknownKey(path: string): FieldError {
  return { path, message: 'This field is not known here' }
}

/** Texts with the character NUL, which PostgreSQL cannot hold and nobody types. */
function findNul(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') {
    const message = 'Must not contain the character NUL'
    return value.includes('\u0000') ? [{ path: path.join('.'), message }] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => findNul(inner, [...path, key]))
}

/** True for a body that a call takes and does not need. */
export function mayBeLeftOut(schema: Schema): boolean {
  return z.safeParse(schema, undefined).success
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
