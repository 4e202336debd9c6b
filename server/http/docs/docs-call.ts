import { API_BASE } from '#contract/endpoint.ts'
import { refusals } from '#contract/error-body.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'
import { type JsonSchema, renderFields, renderSchema } from './docs-schema.ts'
import { exampleOf } from './examples.ts'
import type { Json } from './openapi.ts'

type Content = Record<string, { schema: JsonSchema }>

export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: Json[]
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

export type Call = { path: string; method: string; operation: Operation }

export type ExampleSource = {
  address: string
  components: Record<string, Json>
}

/** `createTransaction` as a heading: Create transaction. */
export function titleOf({ operation }: Call): string {
  const words = operation.operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace('two factor', 'two-factor')
}

/** One call: what it takes and returns on the left, an example of both on the right. */
export function renderCall(
  call: Call,
  source: ExampleSource,
  ownReasons: readonly RefusalReason[],
): string {
  const { path, method, operation } = call
  const { operationId: id } = operation
  const title = titleOf(call)
  const body = operation.requestBody?.content['application/json']?.schema
  return `<section id="${id}" class="call" data-call>
<div class="about">
<div class="title"><h3>${title}</h3><a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></div>
<p class="route">${renderMethod(method)} <code>${breakable(path)}</code></p>
<p>${escapeHtml(operation.summary)} <span class="access">${accessSentence(operation)}</span></p>
${renderParameters(operation)}
${body ? `<h4>Body</h4>${renderSchema(body)}` : ''}
${renderSuccess(operation)}
<h4>Errors</h4>
${renderReasons(ownReasons)}
</div>
<div class="examples">${renderExamples(call, source)}</div>
</section>`
}

export function renderMethod(method: string): string {
  return `<b class="method ${method}">${method.toUpperCase()}</b>`
}

/** A path that may be broken before each of its parts. */
export function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '<wbr>/')
}

function accessSentence({ security }: Operation): string {
  if (security.length === 0) return 'Open to everybody.'
  if (security.length > 1) return 'A login is optional.'
  return security[0]?.['operatorToken'] === undefined
    ? 'Needs a login.'
    : 'For operators, with their token in place of the access token.'
}

function renderParameters({ parameters }: Operation): string {
  if (parameters.length === 0) return ''
  const fields = parameters.map(({ name, in: place, required, schema }) => ({
    name: place === 'header' ? headerName(name) : name,
    schema,
    isRequired: required,
    place: `in the ${place}`,
  }))
  return `<h4>Parameters</h4>${renderFields(fields)}`
}

function successOf({ responses }: Operation) {
  const [status = '', reply] = Object.entries(responses).find(([code]) => code < '3') ?? []
  const content = reply?.content ?? {}
  const type = Object.keys(content)[0] ?? null
  return { status, description: reply?.description ?? '', content, type }
}

function renderSuccess(operation: Operation): string {
  const { status, description, content, type } = successOf(operation)
  const schema = type === null ? undefined : content[type]?.schema
  const shown = schema === undefined ? '<p>No body.</p>' : renderSchema(schema)
  const stated = description === 'Done' ? '' : `<p>${escapeHtml(description)}.</p>`
  return `<h4>Reply <code>${status}</code></h4>${stated}${shown}`
}

function renderReasons(reasons: readonly RefusalReason[]): string {
  const general = '<p>What <a href="#errors">any call may return</a>.</p>'
  if (reasons.length === 0) return general
  const rows = reasons.toSorted((one, other) => refusals[one].status - refusals[other].status)
  return `${renderReasonList(rows)}<p>And what <a href="#errors">any call may return</a>.</p>`
}

export function renderReasonList(reasons: readonly RefusalReason[]): string {
  const items = reasons.map((reason) => {
    const { status, message } = refusals[reason]
    return `<li><code class="status">${status}</code> <code class="name">${reason}</code> <span class="type">${escapeHtml(message)}.</span></li>`
  })
  return `<ul class="fields reasons">${items.join('')}</ul>`
}

function renderExamples(call: Call, source: ExampleSource): string {
  const { status, type } = successOf(call.operation)
  const reply = exampleReply(call, source)
  const title = titleOf(call)
  const command = escapeHtml(exampleRequest(call, source))
  const request = renderExample('Request', { title, note: 'curl', code: command })
  if (reply === null) return request
  const note = type === 'application/json' ? status : `${status}, ${type}`
  return request + renderExample('Reply', { title, note, code: highlight(reply) })
}

function renderExample(
  part: string,
  { title, note, code }: { title: string; note: string; code: string },
): string {
  return `<figure class="example"><figcaption><b>${part}</b> <span>${escapeHtml(note)}</span>
<button type="button" class="copy" data-copies hidden>Copy</button></figcaption>
<pre tabindex="0" role="region" aria-label="${part}: ${title}"><code>${code}</code></pre></figure>`
}

export function exampleRequest({ path, method, operation }: Call, source: ExampleSource): string {
  const { parameters, requestBody, security, responses } = operation
  const value = (name: string, schema: JsonSchema, parent = '') =>
    String(exampleOf(schema, source.components, [name, parent]))
  const url = path.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, parent: string, name: string) => {
    const schema = parameters.find((each) => each.name === name)?.schema ?? {}
    return `${parent}/${value(name, schema, parent)}`
  })
  const asked = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(value(name, schema))}`)
  const query = asked.length === 0 ? '' : `?${asked.join('&')}`
  const isStream = Object.values(responses).some(({ content }) => content?.['text/event-stream'])
  const token = security[0]?.['operatorToken'] === undefined ? 'ACCESS_TOKEN' : 'OPERATOR_TOKEN'
  const headers = parameters
    .filter(({ in: place }) => place === 'header')
    .map(({ name, schema }) => `-H '${headerName(name)}: ${value(name, schema)}'`)
  const body = requestBody?.content['application/json']?.schema
  return [
    `curl${isStream ? ' -N' : ''}${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}`,
    `'${source.address}${API_BASE}${url}${query}'`,
    ...(security.length === 0 ? [] : [`-H "Authorization: Bearer $${token}"`]),
    ...headers,
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(exampleOf(body, source.components), null, 2)}'`,
        ]),
  ].join(' \\\n  ')
}

/** The body of a success as it is sent; null if there is none. */
export function exampleReply({ operation }: Call, source: ExampleSource): string | null {
  const { content, type } = successOf(operation)
  if (type === null) return null
  const example = (kind: string) => exampleOf(content[kind]?.schema ?? {}, source.components)
  if (type === 'text/event-stream') {
    const event = example(type)
    const name = String((event as Json)['type'])
    return `event: ${name}\ndata: ${JSON.stringify(event)}`
  }
  if (type === 'text/csv') {
    const [row = {}] = example('application/json') as Json[]
    return `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}`
  }
  return JSON.stringify(example(type), null, 2)
}

/** `idempotency-key` as it is usually written: Idempotency-Key. */
function headerName(name: string): string {
  return name.replaceAll(/(?:^|-)\w/g, (letter) => letter.toUpperCase())
}

/** JSON with its keys marked differently from its values. */
function highlight(json: string): string {
  return escapeHtml(json)
    .replaceAll(/&quot;((?:(?!&quot;).)*)&quot;(:?)/g, (text, _, colon: string) =>
      colon === '' ? `<i class="value">${text}</i>` : `<i class="key">${text.slice(0, -1)}</i>:`,
    )
    .replaceAll(/(?<=[\s[:])(-?\d[\d.]*|true|false|null)(?=[,\n]|$)/g, '<i class="number">$1</i>')
}
