import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { METHODS } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint, SERVER_TIME } from '#contract/endpoint.ts'
import { ErrorBody } from '#contract/error-body.ts'
import { anAddress } from '#tests/kit/builders/a-user.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let user: SeededUser
let webFolder: string
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'presale-web-'))
  await writeFile(join(webFolder, 'index.html'), '<!doctype html><title>The web app</title>')
  await writeFile(join(webFolder, 'before-paint.js'), 'console.log("before")')
  kit = await startApp({ app: { webFolder } })
  const [seeded] = await manyUsers(kit.open.database, 1)
  if (seeded === undefined) throw new Error('One user was to be made.')
  user = seeded
})
afterAll(async () => {
  await kit.close()
  await rm(webFolder, { recursive: true })
})

const calls = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group))
const urlOf = ({ path }: Endpoint) => API_BASE + path.replaceAll(/\{(\w+)\}/g, () => user.id)
const others = [
  '/',
  '/login',
  '/login/',
  '/before-paint.js',
  '/robots.txt',
  '/favicon.ico',
  '/healthz',
  '/readyz',
  '/metrics',
  `${API_BASE}/openapi.json`,
  `${API_BASE}/docs`,
  `${API_BASE}/docs/style.css`,
  `${API_BASE}/docs/script.js`,
  '/nowhere',
  `${API_BASE}/nowhere`,
  '/%',
]

type Sent = { accept?: string; accessToken?: string }

const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT']

const ask = (method: 'GET' | 'HEAD' | 'OPTIONS' | 'PUT', url: string, sent: Sent = {}) =>
  kit.app.inject({
    method,
    url,
    headers: {
      accept: sent.accept ?? '*/*',
      ...(sent.accessToken && { authorization: `Bearer ${sent.accessToken}` }),
      'operator-name': 'Olga',
    },
    remoteAddress: anAddress(),
  })

/** What differs from one request to the next, and with the numbers of the moment. */
const passing = [
  'date',
  SERVER_TIME,
  'x-request-id',
  'content-length',
  'connection',
  'transfer-encoding',
]

/** What an address answers to both, as far as it should be the same. */
async function askBoth(url: string, sent: Sent) {
  const head = await ask('HEAD', url, sent)
  const get = await ask('GET', url, sent)
  const lasting = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)))
  return {
    head: { status: head.statusCode, headers: lasting(head.headers), body: head.body },
    expected: { status: get.statusCode, headers: lasting(get.headers), body: '' },
  }
}

describe('HEAD is answered as GET is, without a body', () => {
  const getters = calls.filter(({ method, events }) => method === 'GET' && events === undefined)

  test.each(getters.map((endpoint) => [endpoint.path, endpoint] as const))(
    'for the call %s',
    async (_, endpoint) => {
      const accessToken = endpoint.access === 'operator' ? OPERATOR_TOKEN : user.as.accessToken
      for (const sent of [{ accessToken }, {}]) {
        const { head, expected } = await askBoth(urlOf(endpoint), sent)
        expect(head).toEqual(expected)
      }
    },
  )

  test.each(others)('for %s', async (url) => {
    for (const sent of [{}, { accept: 'text/html' }]) {
      const { head, expected } = await askBoth(url, sent)
      expect(head).toEqual(expected)
    }
  })

  test('for live events, which do not begin', async () => {
    const url = `${API_BASE}/events`
    const head = await ask('HEAD', url, user.as)
    expect(head.statusCode).toBe(200)
    expect(head.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect((await ask('HEAD', url)).statusCode).toBe(401)
    kit.clock.pass(1_001)
    const { body } = await kit.app.inject({ url: '/metrics' })
    expect(body).toContain('live_streams 0')
  })
})

describe('every address lists its methods', () => {
  const byUrl = Map.groupBy(calls, ({ path }) => path)

  test.each([...byUrl])('the calls of %s', async (_, endpoints) => {
    const [first] = endpoints
    const url = first === undefined ? '' : urlOf(first)
    const methods = endpoints.map(({ method }) => method)
    const taken = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])]
    const options = await ask('OPTIONS', url)
    expect(options.statusCode).toBe(204)
    expect(String(options.headers['allow']).split(', ').toSorted()).toEqual(taken.toSorted())
    const put = await ask('PUT', url)
    expect(z.parse(ErrorBody, put.json()).reason).toBe('MethodNotAllowed')
    expect(put.headers['allow']).toBe(options.headers['allow'])
  })

  test.each(others.slice(0, -3))('%s', async (url) => {
    const options = await ask('OPTIONS', url)
    expect(options.statusCode).toBe(204)
    expect(options.headers['allow']).toBe('GET, HEAD, OPTIONS')
    expect(options.headers['x-content-type-options']).toBe('nosniff')
    const put = await ask('PUT', url, { accept: 'text/html' })
    expect(z.parse(ErrorBody, put.json()).code).toBe(405)
    expect(put.headers['allow']).toBe('GET, HEAD, OPTIONS')
  })

  const foreign = METHODS.filter((method) => !known.includes(method))

  test.each(['/', '/healthz', `${API_BASE}/auth/login`])(
    'and %s refuses every method that there is',
    async (url) => {
      for (const method of foreign) {
        const { statusCode } = await kit.app.inject({ method, url })
        expect([method, statusCode]).toEqual([method, 405])
      }
    },
  )

  test.each(['/nowhere', `${API_BASE}/nowhere`])('and %s is not there', async (url) => {
    for (const method of ['OPTIONS', 'PUT'] as const) {
      expect(z.parse(ErrorBody, (await ask(method, url)).json()).code).toBe(404)
    }
  })
})
