import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'

export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  /** For a list of fixed length whose entries each have their own type. */
  prefixItems?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  required?: string[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  default?: unknown
}

/** A named value of an object, or a parameter of a call. */
export type Field = { name: string; schema: JsonSchema; isRequired: boolean; place?: string }

/**
 * A JSON Schema for people to read: an object as a list of its fields, anything else as one line.
 */
export function renderSchema(schema: JsonSchema): string {
  return schema.properties === undefined
    ? `<p>${describe(schema)}</p>`
    : renderFields(fieldsOf(schema))
}

/** The fields of an object, each with its type and with its own fields below it. */
export function renderFields(fields: readonly Field[]): string {
  return `<ul class="fields">${fields.map(renderField).join('')}</ul>`
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }))
}

function renderField({ name, schema, isRequired, place }: Field): string {
  const inner = innerFields(schema)
  const notes = [place, isRequired ? null : 'may be left out'].filter((note) => note != null)
  return (
    `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${describe(schema)}` +
    `${notes.map((note) => ` <span class="note">${note}</span>`).join('')}</span>` +
    `${inner === null ? '' : renderFields(fieldsOf(inner))}</li>`
  )
}

/** The unnamed object that a field is, or is a list or map of. */
function innerFields(schema: JsonSchema): JsonSchema | null {
  if (schema.properties !== undefined) return schema
  const { items, additionalProperties: values } = schema
  const parts = [
    ...(schema.anyOf ?? schema.oneOf ?? []),
    ...(items === undefined ? [] : [items]),
    ...(typeof values === 'object' ? [values] : []),
  ]
  return parts.map(innerFields).find((inner) => inner !== null) ?? null
}

/** What a value is, in one line. */
function describe(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#object-${name}">${name}</a>`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(describe).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' or ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.items !== undefined) return `list of ${describe(schema.items)}`
  if (typeof schema.additionalProperties === 'object') {
    return `map of text to ${describe(schema.additionalProperties)}`
  }
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  const rules = rulesOf(schema)
  return rules.length === 0 ? type : `${type}: ${rules.join(', ')}`
}

function rulesOf(schema: JsonSchema): string[] {
  const { format, pattern, minLength, maxLength, minimum } = schema
  return [
    ...(format === undefined ? [] : [format]),
    // The pattern of a format only repeats it at length.
    ...(pattern === undefined || format !== undefined
      ? []
      : [`<code>${escapeHtml(pattern)}</code>`]),
    ...(minLength === undefined ? [] : [`at least ${counted(minLength)}`]),
    ...(maxLength === undefined ? [] : [`at most ${counted(maxLength)}`]),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
      ? []
      : [`at least ${minimum}`]),
    ...(schema.default === undefined ? [] : [`${literal(schema.default)} where left out`]),
  ]
}

const counted = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

function literal(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`
}
