import { API_BASE, type Endpoint, type InputOf, type ResultOf } from '#contract/endpoint.ts'
import * as z from 'zod/mini'

type CallInput = {
  headers?: Record<string, string | undefined>
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Makes a call to a running product. Throws if it refuses or violates the contract.
 * @param from The address that it comes from, if it is not to share the limits of the others here.
 */
export async function callProduct<E extends Endpoint>(
  address: string,
  endpoint: E,
  input: InputOf<E>,
  accessToken?: string,
  from?: string,
): Promise<ResultOf<E>> {
  const { params, query, body, headers = {} }: CallInput = input
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const url = new URL(`${API_BASE}${path}`, address)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  const reply = await fetch(url, {
    method: endpoint.method,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${endpoint.method} ${path} replied ${reply.status}: ${text}`)
  return parseResult(endpoint, text)
}

function parseResult<E extends Endpoint>(endpoint: E, text: string): ResultOf<E>
function parseResult(endpoint: Endpoint, text: string): unknown {
  return endpoint.result === undefined ? undefined : z.parse(endpoint.result, JSON.parse(text))
}
