import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { ErrorBody, refusals } from '#contract/error-body.ts'
import { saleContract } from '#contract/sale.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let kit: TestApp
let webFolder: string
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'presale-web-'))
  await mkdir(join(webFolder, 'assets'))
  const script = 'console.log("the web app")'
  await writeFile(join(webFolder, 'index.html'), '<!doctype html><title>The web app</title>')
  await writeFile(join(webFolder, 'robots.txt'), 'User-agent: *')
  await writeFile(join(webFolder, 'assets', 'main-abc.js'), script)
  await writeFile(join(webFolder, 'assets', 'main-abc.js.br'), brotliCompressSync(script))
  kit = await startApp({ app: { webFolder } })
})
afterAll(async () => {
  await kit.close()
  await rm(webFolder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => kit.app.inject({ url, headers })
const asPage = { accept: 'text/html,application/xhtml+xml' }

const endpoints = Object.values(contract).flatMap((calls) => Object.values<Endpoint>(calls))

describe('every answer', () => {
  const addresses = [
    '/',
    '/login',
    '/nowhere',
    '/%',
    `/${'x'.repeat(20)}%zz`,
    '/healthz',
    '/metrics',
  ]
  const calls = ['/projects/current', '/nowhere', '/openapi.json', '/docs', '/auth/login']

  test.each([...addresses, ...calls.map((call) => API_BASE + call)])(
    '%s carries the headers that protect a browser',
    async (url) => {
      const { headers } = await get(url, asPage)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("object-src 'none'")
      expect(policy).toContain("base-uri 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(policy).not.toContain('upgrade-insecure-requests')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(headers['x-powered-by']).toBeUndefined()
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    },
  )

  test('a part of a page carries those that mean something for it', async () => {
    const { headers } = await get('/assets/main-abc.js', asPage)
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })

  test('over https, browsers are told to stay there', async () => {
    const secure = await startApp({
      open: kit.open,
      settings: { publicUrl: 'https://presale.example' },
    })
    const { headers } = await secure.app.inject({ url: '/healthz' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
    await secure.close()
  })

  test('of the API is kept by no cache', async () => {
    for (const url of ['/tokens/eth/minimum-amount', '/nowhere', '/openapi.json']) {
      expect((await get(API_BASE + url)).headers['cache-control']).toBe('no-store')
    }
    const otherwiseWritten = await get('/%61pi/v1/tokens/eth/minimum-amount')
    expect(otherwiseWritten.headers['cache-control']).toBe('no-store')
  })

  test('does not take its id from the caller', async () => {
    const { headers } = await get('/healthz', { 'x-request-id': 'chosen' })
    expect(headers['x-request-id']).not.toBe('chosen')
  })
})

describe('a refusal has one form', () => {
  test.each([
    ['GET', `${API_BASE}/nowhere`, 404],
    ['GET', '/api/v2/stages/active', 404],
    ['POST', '/login', 405],
    ['POST', '/nowhere', 404],
    ['PUT', `${API_BASE}/auth/login`, 405],
    ['GET', `${API_BASE}/auth/login`, 405],
    ['DELETE', `${API_BASE}/stages/active`, 405],
    ['HEAD', `${API_BASE}/auth/login`, 405],
    ['GET', '/%', 400],
    ['GET', `${API_BASE}/users/%zz`, 400],
    ['GET', `${API_BASE}/users/${'x'.repeat(300)}`, 414],
  ] as const)('%s %s is a %i', async (method, url, status) => {
    const reply = await kit.app.inject({ method, url })
    expect(reply.statusCode).toBe(status)
    if (method === 'HEAD') return
    expect(z.parse(ErrorBody, reply.json()).code).toBe(status)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('a 405 names what the address takes', async () => {
    const reply = await kit.app.inject({ method: 'PUT', url: `${API_BASE}/auth/login` })
    expect(reply.headers['allow']).toBe('POST, OPTIONS')
  })

  test('a fault of the server reveals nothing of it to the caller', async () => {
    const broken = await startApp({
      open: kit.open,
      app: {
        routes: [
          {
            name: 'getPrices',
            endpoint: saleContract.getPrices,
            handle: async () => {
              throw new Error('select password_hash from users')
            },
          },
          {
            name: 'getFinalPrice',
            endpoint: saleContract.getFinalPrice,
            handle: async () => ({ final_price: 'not a number' }),
          },
        ],
      },
    })
    for (const path of ['/prices', '/prices/final']) {
      const reply = await broken.app.inject({ url: API_BASE + path })
      expect(z.parse(ErrorBody, reply.json())).toEqual({
        code: 500,
        message: 'Internal server error',
        reason: 'InternalError',
        request_id: reply.headers['x-request-id'],
      })
    }
    expect(broken.complaints).toHaveLength(2)
    expect(broken.complaints[0]?.facts).toMatchObject({ path: '/api/v1/prices' })
    broken.complaints.length = 0
    await broken.close()
  })

  test('what a schema does not declare never leaves', async () => {
    const leaking = await startApp({
      open: kit.open,
      app: {
        routes: [
          {
            name: 'getFinalPrice',
            endpoint: saleContract.getFinalPrice,
            handle: async () => ({ final_price: 1, password_hash: 'secret' }),
          },
        ],
      },
    })
    const reply = await leaking.app.inject({ url: `${API_BASE}/prices/final` })
    expect(reply.json()).toEqual({ final_price: 1 })
    await leaking.close()
  })
})

describe('the web app', () => {
  test.each(['/', '/login', '/register?referral=x', '/buy', '/sandbox', '/info', '/login/'])(
    '%s is its page',
    async (url) => {
      const reply = await get(url, asPage)
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toContain('The web app')
      expect(reply.headers['cache-control']).toBe('no-cache')
      expect(reply.headers['content-type']).toMatch(/^text\/html/)
    },
  )

  test('shows its own page for an address that does not exist', async () => {
    const reply = await get('/nowhere', asPage)
    expect(reply.statusCode).toBe(404)
    expect(reply.body).toContain('The web app')
  })

  test('/sandbox does not exist outside of a sandbox', async () => {
    const real = await startApp({
      open: kit.open,
      settings: { isSandbox: false },
      app: { webFolder },
    })
    expect((await real.app.inject({ url: '/sandbox', headers: asPage })).statusCode).toBe(404)
    for (const [method, path] of [
      ['POST', 'payments'],
      ['POST', 'blocks'],
      ['POST', 'reorgs'],
      ['GET', 'mails'],
    ] as const) {
      const url = `${API_BASE}/sandbox/${path}`
      expect((await real.app.inject({ method, url })).statusCode).toBe(404)
    }
    const openApi = (await real.app.inject({ url: `${API_BASE}/openapi.json` })).json()
    expect(JSON.stringify(Object.keys(openApi.paths))).not.toContain('sandbox')
    await real.close()
  })

  test('its built files are kept for ever, and come compressed', async () => {
    const plain = await get('/assets/main-abc.js')
    expect(plain.body).toContain('the web app')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const compressed = await get('/assets/main-abc.js', { 'accept-encoding': 'br' })
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(compressed.headers['content-type']).toMatch(/javascript/)
    expect((await get('/robots.txt')).headers['cache-control']).toBe('no-cache')
  })

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/.vite/x',
  ])('%s leads nowhere else', async (url) => {
    const reply = await get(url)
    expect([400, 403, 404]).toContain(reply.statusCode)
    expect(reply.body).not.toContain('token-presale')
  })
})

describe('the documentation', () => {
  type Operation = { operationId: string; responses: Record<string, unknown> }
  type OpenApi = {
    openapi: string
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, unknown> }
  }
  const read = async () => (await get(`${API_BASE}/openapi.json`)).json<OpenApi>()

  test('has every call that is answered, and no other', async () => {
    const { paths } = await read()
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const answered = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(documented.toSorted()).toEqual(answered.toSorted())
  })

  test('names for each call the statuses that it can have', async () => {
    const { paths } = await read()
    for (const endpoint of endpoints) {
      const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      const statuses = Object.keys(operation?.responses ?? {})
      const errors = endpoint.errors ?? []
      for (const reason of errors) {
        expect(statuses, endpoint.path).toContain(String(refusals[reason].status))
      }
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true)
      expect(statuses.includes('401')).toBe(
        endpoint.access === 'user' ||
          endpoint.access === 'operator' ||
          errors.some((one) => refusals[one].status === 401),
      )
    }
  })

  test('is whole: each object it points to is there', async () => {
    const document = await read()
    expect(document.openapi).toBe('3.1.0')
    const text = JSON.stringify(document)
    const pointers = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = '']) => pointer)
    expect(pointers.length).toBeGreaterThan(10)
    for (const pointer of new Set(pointers)) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(pointer)?.[1]
      expect(Object.keys(document.components.schemas), pointer).toContain(name)
    }
  })

  test('describes what may be sent and what comes back', async () => {
    const { paths, components } = await read()
    const register = JSON.stringify(paths['/auth/register']?.['post'])
    for (const field of Object.keys(aRegistration())) expect(register).toContain(`"${field}"`)
    expect(register).toContain('"additionalProperties":false')
    expect(components.schemas).toHaveProperty('Transaction.properties.payment_uri')
    expect(JSON.stringify(paths['/price-chart'])).toContain('"default":"day"')
  })

  test('can be read by people', async () => {
    const page = await get(`${API_BASE}/docs`)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.body).toContain('/auth/register')
    expect(page.body).not.toMatch(/<script>|style=|https?:\/\/(?!localhost)[^<]*\.(?:js|css)/)
    const sectionOf = (call: string) =>
      page.body.split(`<section id="${call}"`)[1]?.split('</section>')[0]
    expect(sectionOf('register')).toContain('>Open to everybody.<')
    expect(sectionOf('logout')).toContain('>Needs a login.<')
    expect(sectionOf('calculateBonus')).toContain('>A login is optional.<')
    expect(sectionOf('pauseSale')).toContain('>For operators,')
    const compressed = await get(`${API_BASE}/docs`, { 'accept-encoding': 'br' })
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(page.body)
    const style = await get(`${API_BASE}/docs/style.css`)
    expect(style.headers['content-type']).toMatch(/^text\/css/)
    const script = await get(`${API_BASE}/docs/script.js`)
    expect(script.headers['content-type']).toMatch(/^text\/javascript/)
  })
})

describe('for operators', () => {
  test('/healthz and /readyz report that it is up and ready', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  test('/metrics counts calls by route, never by the address with its ids', async () => {
    await get(`${API_BASE}/users/some-id`)
    kit.clock.pass(1_001)
    const { body } = await get('/metrics')
    expect(body).toMatch(
      /http_request_duration_seconds_count\{.*route="\/api\/v1\/users\/:id".*\} \d/,
    )
    expect(body).toContain('process_cpu_seconds_total')
    expect(body).not.toContain('some-id')
  })
})
