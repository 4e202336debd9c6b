import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'
import type { Json } from './openapi.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  default?: unknown
}

/** A JSON Schema as a person reads it: an object as a table of its fields, the rest as one line. */
export function renderSchema(json: Json): string {
  const schema = json as Schema
  return schema.properties === undefined
    ? `<p>${describe(schema)}</p>`
    : renderFields(schema.properties, schema.required ?? [])
}

function renderFields(properties: Record<string, Schema>, required: readonly string[]): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const isOptional = required.includes(name) ? '' : '<br>may be left out'
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${describe(schema)}${isOptional}</td></tr>`
  })
  return `<table>${rows.join('')}</table>`
}

/** What a value is, with its fields where it is an object that has no name of its own. */
function describe(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#object-${name}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(describe).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' or ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.items !== undefined) return `list of ${describe(schema.items)}`
  if (schema.properties !== undefined) {
    return renderFields(schema.properties, schema.required ?? [])
  }
  if (typeof schema.additionalProperties === 'object') {
    return `map of text to ${describe(schema.additionalProperties)}`
  }
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  const rules = rulesOf(schema)
  return rules.length === 0 ? type : `${type}: ${rules.join(', ')}`
}

function rulesOf(schema: Schema): string[] {
  const { format, pattern, minLength, maxLength, minimum } = schema
  return [
    ...(format === undefined ? [] : [format]),
    // The pattern of a format only repeats it at length.
    ...(pattern === undefined || format !== undefined
      ? []
      : [`<code>${escapeHtml(pattern)}</code>`]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
      ? []
      : [`at least ${minimum}`]),
    ...(schema.default === undefined ? [] : [`${literal(schema.default)} where left out`]),
  ]
}

function literal(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`
}
