import type { Json } from './openapi.ts'
import type { JsonSchema } from './docs-schema.ts'
import { exampleValues } from './example-values.ts'

const DATE = '2026-11-22T14:00:00.000Z'
const ID = '6f1c24f1-8b1f-4a9e-9c36-0d2a7a2f9f10'
const EVM_ADDRESS = '^0x[0-9a-fA-F]{40}$'
const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7'
/** 32 bytes of Ethereum. */
const WORD = '^0x[0-9a-f]{64}$'
const SHA256 = '^[0-9a-f]{64}$'
const HASH = '3b1f0c9d2e4a58671b0c9d2e4a58673f1b0c9d2e4a5867f13b1f0c9d2e4a5867'
/** Recursive schemas end here. */
const DEPTH_MAX = 8

/**
 * A value that a schema accepts, as a person would meet it.
 * @param named The names of the field and of what contains it, nearest first.
 */
export function exampleOf(
  schema: JsonSchema,
  components: Record<string, Json>,
  named: readonly string[] = [],
): unknown {
  return make(schema, named, 0)

  function make(given: JsonSchema, names: readonly string[], depth: number): unknown {
    const own = resolve(given, components)
    const choices = (own.anyOf ?? own.oneOf ?? [own]).map((choice) => resolve(choice, components))
    const [name = '', parent = ''] = names
    for (const known of [exampleValues[`${parent}.${name}`], exampleValues[name]]) {
      if (choices.some((choice) => takes(choice, known))) return known
    }
    const chosen = choices.find(({ type }) => type !== 'null') ?? own
    if (chosen.const !== undefined) return chosen.const
    if (chosen.enum !== undefined) return chosen.enum[0]
    if (chosen.prefixItems !== undefined) {
      return chosen.prefixItems.map((item) => make(item, names, depth + 1))
    }
    if (chosen.items !== undefined) {
      return depth < DEPTH_MAX ? [make(chosen.items, names, depth + 1)] : []
    }
    if (chosen.properties !== undefined) {
      const fields = Object.entries(chosen.properties)
      return Object.fromEntries(
        fields.map(([field, type]) => [field, make(type, [field, ...names], depth + 1)]),
      )
    }
    if (typeof chosen.additionalProperties === 'object') {
      const value = chosen.additionalProperties
      const keys = chosen.propertyNames?.enum?.map(String) ?? ['ETH']
      return Object.fromEntries(keys.map((key) => [key, make(value, [key, ...names], depth + 1)]))
    }
    return plain(chosen)
  }
}

function resolve(schema: JsonSchema, components: Record<string, Json>): JsonSchema {
  if (schema.$ref === undefined) return schema
  return components[schema.$ref.split('/').at(-1) ?? ''] ?? {}
}

/** Whether a known value has the required type and pattern; a test checks the other rules. */
function takes(schema: JsonSchema, value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (schema.const !== undefined || value === undefined) return false
  if (Array.isArray(value)) return schema.items !== undefined
  const types = [schema.type ?? []].flat()
  if (value === null) return types.includes('null')
  if (schema.format === 'uuid') return typeof value === 'string' && /^[\da-f-]{36}$/.test(value)
  if (schema.format === 'date-time' || schema.format === 'date') return false
  const { pattern } = schema
  if (pattern !== undefined && typeof value === 'string' && !new RegExp(pattern).test(value))
    return false
  if (typeof value === 'number') {
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
  }
  if (typeof value === 'object') {
    return types.includes('object') && schema.properties === undefined
  }
  return types.includes(typeof value)
}

function plain({ type, format, minimum, pattern }: JsonSchema): unknown {
  const types = [type ?? 'null'].flat()
  if (types.includes('string')) {
    if (format === 'uuid') return ID
    if (format === 'date-time') return DATE
    if (format === 'date') return DATE.slice(0, 10)
    if (format === 'uri') return 'https://example.com'
    if (pattern === SHA256) return HASH
    if (pattern === WORD) return `0x${HASH}`
    if (pattern === EVM_ADDRESS) return ADDRESS
    return pattern?.includes('\\d') === true ? '250' : 'text'
  }
  if (types.includes('number') || types.includes('integer')) return Math.max(minimum ?? 1, 1)
  if (types.includes('boolean')) return false
  return types.includes('object') ? {} : null
}
