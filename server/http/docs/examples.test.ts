import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contract } from '#contract/contract.ts'
import type { Endpoint, Schema } from '#contract/endpoint.ts'
import type { Call, ExampleSource, Operation } from './docs-call.ts'
import { exampleReply, exampleRequest } from './docs-call.ts'
import { exampleOf } from './examples.ts'
import { buildOpenApi, type Json } from './openapi.ts'

const endpoints: [string, Endpoint][] = Object.values(contract).flatMap((group) =>
  Object.entries<Endpoint>(group),
)
const routes = endpoints.map(([name, endpoint]) => ({ name, endpoint, handle: async () => null }))
const { paths, components } = buildOpenApi(routes, 'Example') as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}
const source: ExampleSource = { address: 'https://sale.example', components: components.schemas }

function callOf({ path, method }: { path: string; method: string }): Call {
  const operation = paths[path]?.[method.toLowerCase()]
  if (operation === undefined) throw new Error(`${method} ${path} is not documented.`)
  return { path, method: method.toLowerCase(), operation }
}

const faultsOf = (schema: Schema, value: unknown) => z.safeParse(schema, value).error?.issues ?? []

describe('the examples of the document', () => {
  test.each(endpoints)('%s takes the body that is shown for it', (_, endpoint) => {
    const schema = callOf(endpoint).operation.requestBody?.content['application/json']?.schema
    if (endpoint.body === undefined) return
    expect(faultsOf(endpoint.body, exampleOf(schema ?? {}, source.components))).toEqual([])
  })

  test.each(endpoints)('%s takes the parameters that are shown for it', (_, endpoint) => {
    for (const part of ['params', 'headers', 'query'] as const) {
      const schema = endpoint[part]
      if (schema === undefined) continue
      const place = part === 'params' ? 'path' : part === 'headers' ? 'header' : 'query'
      const shown = callOf(endpoint).operation.parameters.filter(
        (each) => each.in === place && (place !== 'query' || each.required),
      )
      const properties = Object.fromEntries(shown.map(({ name, schema: own }) => [name, own]))
      const values = exampleOf({ type: 'object', properties }, source.components)
      expect(faultsOf(schema, values)).toEqual([])
    }
  })

  test.each(endpoints)('%s says 204 if it replies with nothing, and only then', (_, endpoint) => {
    const { responses } = callOf(endpoint).operation
    const done = Object.entries(responses).filter(([status]) => /^20[014]$/.test(status))
    expect(done).toHaveLength(1)
    for (const [status, { content }] of done) expect(status === '204').toBe(content === undefined)
  })

  test('an address names what it is the address of', () => {
    const request = (path: string, method: string) => {
      const call = callOf({ path, method })
      return exampleRequest(call, source).split('\n')[1]
    }
    expect(request('/tokens/{id}/minimum-amount', 'GET')).toContain('/tokens/eth/minimum-amount')
    expect(request('/users/{id}/sessions/{session_id}', 'DELETE')).toMatch(
      /\/users\/[\da-f-]{36}\/sessions\/[\da-f-]{36}'/,
    )
  })

  test.each(endpoints)('%s may return what is shown for it', (_, endpoint) => {
    const shown = exampleReply(callOf(endpoint), source)
    expect(shown === null).toBe(
      !endpoint.result && !endpoint.events && !endpoint.rows && !endpoint.file,
    )
    const faults = endpoint.result ? faultsOf(endpoint.result, JSON.parse(shown ?? '')) : []
    expect(faults).toEqual([])
  })
})
