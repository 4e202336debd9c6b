import type { FastifyInstance } from 'fastify'

import { API_BASE } from '#contract/endpoint.ts'
import type { Project } from '#domain/sale/sale.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'
import { renderSchema } from './docs-schema.ts'
import { buildOpenApi, type Json } from './openapi.ts'

type Operation = {
  operationId: string
  summary: string
  security: Json[]
  parameters: { name: string; in: string; required: boolean; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>
}

type Document = {
  info: { title: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** `GET /openapi.json`, and a page of it for people. */
export function addDocs(app: FastifyInstance, routes: readonly Route[], project: Project): void {
  const openApi = buildOpenApi(routes, `${project.name} presale`)
  const document = JSON.stringify(openApi)
  const page = renderDocs(openApi)
  app.get(`${API_BASE}/openapi.json`, async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    return document
  })
  app.get(`${API_BASE}/docs`, async (_request, reply) => {
    reply.type('text/html; charset=utf-8')
    return page
  })
  app.get(`${API_BASE}/docs/style.css`, async (_request, reply) => {
    reply.type('text/css; charset=utf-8')
    return docsStyle
  })
}

/** A page for people, made from the OpenAPI document alone. It needs no script. */
function renderDocs(openApi: Json): string {
  const { info, paths, components } = openApi as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const index = operations.map(
    ({ path, method, operation }) =>
      `<li><a href="#${operation.operationId}"><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title>
<link rel="stylesheet" href="${API_BASE}/docs/style.css">
</head>
<body>
<main>
<h1>${escapeHtml(info.title)} API</h1>
<p>Every call is below <code>${API_BASE}</code> and speaks JSON. Calls that need a login take the header
<code>Authorization: Bearer &lt;access token&gt;</code>. The same for programs:
<a href="${API_BASE}/openapi.json">openapi.json</a>.</p>
<nav aria-label="Calls"><ul>${index.join('\n')}</ul></nav>
${operations.map(renderOperation).join('\n')}
<h2 id="objects">Objects</h2>
${Object.entries(components.schemas).map(renderObject).join('\n')}
</main>
</body>
</html>
`
}

function renderOperation(call: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = call
  const body = operation.requestBody?.content['application/json']?.schema
  return `<section id="${operation.operationId}">
<h2><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</h2>
<p>${escapeHtml(operation.summary)} ${accessSentence(operation)}</p>
${renderParameters(operation)}
${body ? `<h3>Body</h3>${renderSchema(body)}` : ''}
<h3>Replies</h3>
<dl>${Object.entries(operation.responses).map(renderReply).join('\n')}</dl>
</section>`
}

function accessSentence({ security }: Operation): string {
  if (security.length === 0) return 'Open to everybody.'
  if (security.length > 1) return 'A login is optional.'
  return security[0]?.['operatorToken'] === undefined
    ? 'Needs a login.'
    : 'For operators, with their token in the place of the access token.'
}

function renderParameters({ parameters }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${parameter.in}</td>` +
      `<td>${parameter.required ? 'required' : 'optional'}</td>` +
      `<td>${renderSchema(parameter.schema)}</td></tr>`,
  )
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`
}

function renderReply([status, reply]: [string, Operation['responses'][string]]): string {
  const schema = Object.values(reply.content ?? {})[0]?.schema
  const sentences = escapeHtml(reply.description).replaceAll('\n\n', '<br>')
  const shown = schema && status.startsWith('2') ? renderSchema(schema) : ''
  return `<dt>${status}</dt><dd>${sentences.replaceAll(/`(\w+)`/g, '<code>$1</code>')}${shown}</dd>`
}

function renderObject([name, schema]: [string, Json]): string {
  return `<section id="object-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${renderSchema(schema)}</section>`
}

const docsStyle = `
:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 6rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 3rem; font-size: 1.25rem; overflow-wrap: anywhere; }
h2 b, nav b { display: inline-block; min-width: 4.5rem; font-size: 0.8em; letter-spacing: 0.05em; }
h3 { font-size: 1rem; }
nav ul { list-style: none; padding: 0; columns: 22rem; }
a { color: LinkText; text-underline-offset: 0.2em; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
code { font-size: 0.9em; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
td { vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; overflow-wrap: anywhere; }
tr + tr > td { border-top: 1px solid color-mix(in srgb, currentColor 12%, transparent); }
td:first-child { width: 14rem; }
p { margin: 0.5rem 0; }
dt { font-weight: 600; }
dd { margin: 0 0 1rem; }
`
