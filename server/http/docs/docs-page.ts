import { API_BASE } from '#contract/endpoint.ts'
import { reasonsOf } from '#contract/error-body.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { escapeHtml } from '#server/use-cases/mailing/texts/escape-html.ts'
import {
  breakable,
  type Call,
  type ExampleSource,
  type Operation,
  renderCall,
  renderMethod,
  renderReasonList,
  titleOf,
} from './docs-call.ts'
import { type JsonSchema, renderSchema } from './docs-schema.ts'
import { groupTitles, type Json } from './openapi.ts'

type Document = {
  info: { title: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Where the page is served, and the stylesheet of the other pages if there are any. */
export type DocsPlace = { address: string; stylesheet: string | null }

type Group = { name: string; title: string; description: string; calls: Call[] }

/**
 * The page of an OpenAPI document. It is complete without a script; page/docs.js adds the search
 * and the copy buttons.
 */
export function renderDocs(openApi: Json, routes: readonly Route[], place: DocsPlace): string {
  const { info, paths, components } = openApi as Document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = Object.entries(groupTitles)
    .map(([name, texts]) => ({
      name,
      ...texts,
      calls: calls.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((group) => group.calls.length > 0)
  const source = { address: place.address, components: components.schemas }
  const reasons = new Map(routes.map(({ name, endpoint }) => [name, reasonsOf(endpoint)]))
  const general = [...reasons.values()].reduce((one, other) => one.intersection(other))
  const ownReasons = ({ operation }: Call) => [
    ...(reasons.get(operation.operationId) ?? new Set<RefusalReason>()).difference(general),
  ]
  const objects = Object.entries(components.schemas)
  const index = renderIndex(groups, objects)
  const title = escapeHtml(info.title)
  return `<!doctype html>
<html lang="en" data-theme="dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${place.stylesheet === null ? '' : `<link rel="stylesheet" href="${place.stylesheet}">`}
<link rel="stylesheet" href="${API_BASE}/docs/style.css">
<script src="/before-paint.js"></script>
<script src="${API_BASE}/docs/script.js" defer></script>
</head>
<body class="docs">
<a class="skip" href="#content">Skip to the calls</a>
${renderTop(title)}
<nav class="side" aria-label="Calls">${index}</nav>
<main id="content" tabindex="-1">
<p id="found" role="status"></p>
<details class="phone"><summary>All calls</summary><nav aria-label="Calls">${index}</nav></details>
${renderIntroduction(title, place, [...general])}
<p id="none" hidden>No call matches. Search for part of its name, path or summary.</p>
${groups.map((group) => renderGroup(group, source, ownReasons)).join('\n')}
<section class="group" aria-labelledby="objects"><h2 id="objects">Objects</h2>
<p>Objects that several calls take or return.</p>
${objects.map(renderObject).join('\n')}</section>
</main>
</body>
</html>
`
}

function renderTop(title: string): string {
  return `<header class="top">
<a class="brand" href="/">${MARK}<span>${title}</span></a>
<search><label class="hidden" for="search">Find a call</label>
<input id="search" type="search" placeholder="Find a call" autocomplete="off" spellcheck="false" hidden>
</search>
<button type="button" class="theme" data-switches-theme hidden>Theme</button>
<span class="hidden" id="copied" role="status"></span>
</header>`
}

/** As in web/ui/mark.tsx. */
const MARK =
  '<svg class="mark" viewBox="0 0 32 32" width="24" height="24" fill="none" aria-hidden="true">' +
  '<path d="M6.5 3v26M25.5 3v26M6.5 11.5a9.5 9.5 0 0 0 19 0" stroke="currentColor" stroke-width="5"/>' +
  '<circle cx="16" cy="7.3" r="4.3" fill="currentColor"/></svg>'

function renderIntroduction(
  title: string,
  { address }: DocsPlace,
  general: readonly RefusalReason[],
): string {
  return `<section class="group introduction">
<h1>${title} API</h1>
<p>Every call is below <code>${escapeHtml(address)}${API_BASE}</code> and speaks JSON. The same for programs:
<a href="${API_BASE}/openapi.json">openapi.json</a>.</p>
<h2 id="authentication">Authentication</h2>
<p><a href="#login">Login</a> returns an access token and a refresh token. Calls that need a login take the header
<code>Authorization: Bearer &lt;access token&gt;</code>. When it has expired,
<a href="#refreshTokens">refresh tokens</a> returns new ones.</p>
<h2 id="amounts">Amounts</h2>
<p>Exact amounts to be paid, such as <code>payment_amount</code>, are decimal strings. Every other amount is a number of
at most 15 significant digits. Instants are in UTC.</p>
<h2 id="errors">Errors</h2>
<p>A call that is refused returns an <a href="#object-Error">Error</a>: its <code>reason</code> is a stable name for
programs, its <code>message</code> a sentence for people, and <code>request_id</code> what to quote when you ask about
it. Each call lists its own reasons; any call may return these:</p>
${renderReasonList(general)}
</section>`
}

function renderIndex(groups: readonly Group[], objects: readonly [string, Json][]): string {
  const parts = groups.map(({ name, title, calls }) => {
    const items = calls.map(
      (call) =>
        `<li><a href="#${call.operation.operationId}">${renderMethod(call.method)}<span>${titleOf(call)}</span></a></li>`,
    )
    return `<div data-index-group><p><a href="#group-${name}">${title}</a></p><ul>${items.join('')}</ul></div>`
  })
  const named = objects.map(
    ([name]) => `<li><a href="#object-${name}"><span>${name}</span></a></li>`,
  )
  return `<div><p>Start</p><ul><li><a href="#authentication"><span>Authentication</span></a></li><li><a href="#amounts"><span>Amounts</span></a></li><li><a href="#errors"><span>Errors</span></a></li></ul></div>
${parts.join('\n')}
<div><p><a href="#objects">Objects</a></p><ul>${named.join('')}</ul></div>`
}

function renderGroup(
  { name, title, description, calls }: Group,
  source: ExampleSource,
  ownReasons: (call: Call) => RefusalReason[],
): string {
  const list = calls.map(
    (call) =>
      `<li><a href="#${call.operation.operationId}">${renderMethod(call.method)} <code>${breakable(call.path)}</code> <span>${titleOf(call)}</span></a></li>`,
  )
  return `<section class="group" aria-labelledby="group-${name}" data-group>
<h2 id="group-${name}">${title}</h2>
<p>${description}</p>
<ul class="overview">${list.join('')}</ul>
${calls.map((call) => renderCall(call, source, ownReasons(call))).join('\n')}
</section>`
}

function renderObject([name, schema]: [string, JsonSchema]): string {
  return `<section id="object-${name}" class="object"><div class="title"><h3>${name}</h3><a class="anchor" href="#object-${name}" aria-label="Link to ${name}">#</a></div>${renderSchema(schema)}</section>`
}
