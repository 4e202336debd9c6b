import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { LightMyRequestResponse } from 'fastify'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { contract } from '#contract/contract.ts'
import { API_BASE, type Endpoint } from '#contract/endpoint.ts'
import { isEmail, isPersonName, MOBILE, passwordFault } from '#domain/accounts/account.ts'
import { deviceName } from '#domain/accounts/device.ts'
import { parseExactJson, readWrittenDecimal } from '#domain/exact-json.ts'
import { parseDecimal } from '#domain/money.ts'
import { connectionOf, networkOf, sharedConnectionOf } from '#domain/accounts/network.ts'
import { readTransactionHash } from '#domain/chains/transaction-hash.ts'
import { csvLine } from '#domain/csv-line.ts'
import { parseJsonBody } from '#server/http/routing/json-body.ts'
import { createBtcpayWebhook } from '#server/payments/btcpay/btcpay-rail.ts'
import { createNowpaymentsWebhook } from '#server/payments/nowpayments/nowpayments-webhook.ts'
import { secret } from '#server/payments/variables.ts'
import { readRefreshToken } from '#server/use-cases/access/session-tokens.ts'
import { anAddress } from '#tests/kit/builders/a-user.ts'
import { leastCpuMs } from '#tests/kit/builders/cpu-time.ts'
import {
  longBodies,
  longGatewayBodies,
  type LongText,
  longTexts,
} from '#tests/kit/builders/long-texts.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { fieldsOf, plausibleBody } from '#tests/kit/builders/plausible-input.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** The processor time that one call or one parse of 128 KiB may take, whatever its content. */
const CPU_MS_MAX = 50

/** Node itself refuses a longer address. */
const ADDRESS_SIZE = 16 * 1024

let kit: TestApp
let user: SeededUser
let webFolder: string
beforeAll(async () => {
  webFolder = await mkdtemp(join(tmpdir(), 'presale-web-'))
  await writeFile(join(webFolder, 'index.html'), '<!doctype html><title>The web app</title>')
  await writeFile(join(webFolder, 'favicon.svg'), '<svg/>')
  kit = await startApp({ app: { webFolder, trustedProxies: 1 } })
  const [seeded] = await manyUsers(kit.open.database, 1)
  if (seeded === undefined) throw new Error('One user was to be made.')
  user = seeded
})
afterAll(async () => {
  await kit.close()
  await rm(webFolder, { recursive: true })
})

type Work = { what: string; work: () => unknown }

/** A sale file is no stranger's text: who may apply one may also have it read for a moment. */
const ofOwners: readonly Endpoint[] = [
  contract.saleFiles.checkSaleFile,
  contract.saleFiles.applySaleFile,
]
const calls = Object.values(contract)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter((endpoint) => !ofOwners.includes(endpoint))

type Readers = Record<string, () => unknown>

/** What reads a text that a buyer, a browser, a proxy or a gateway wrote. */
function readersOf(text: string): Readers {
  const rail = { rail: 'evm' as const, paymentToken: { chain: 'ERC20', chainId: 1 } }
  return {
    'an amount of a gateway': () => readWrittenDecimal(text, 18),
    'an amount': () => parseDecimal(text, 18),
    'an email address': () => isEmail(text),
    'a name': () => isPersonName(text),
    'a phone number': () => MOBILE.test(text),
    'a password': () => passwordFault(text),
    'a device': () => deviceName(text),
    'an address of the internet': () => connectionOf(text),
    'a network': () => networkOf(text),
    'a shared connection': () => sharedConnectionOf(text),
    'the hash of a transaction': () => readTransactionHash(text, rail),
    'a refresh token': () => readRefreshToken(text),
    'a cell of a table': () => csvLine([text]),
    'a signature of NOWPayments': () => nowpayments({ 'x-nowpayments-sig': text }, NO_BYTES),
    'a signature of BTCPay': () => btcpay({ 'btcpay-sig': text }, NO_BYTES),
  }
}

/** What reads a body before anything else is known of it. */
function bodyReadersOf(text: string): Readers {
  return { 'a body': () => swallow(() => parseJsonBody(Buffer.from(text))) }
}

function gatewayReadersOf(text: string): Readers {
  const bytes = Buffer.from(text)
  const signed = createHmac('sha256', gatewaySecret.reveal()).update(bytes).digest('hex')
  return {
    'the reply of a gateway': () => parseExactJson(text),
    'a webhook of NOWPayments': () => nowpayments({ 'x-nowpayments-sig': 'a'.repeat(128) }, bytes),
    'a webhook of BTCPay': () => btcpay({ 'btcpay-sig': `sha256=${signed}` }, bytes),
  }
}

const gatewaySecret = secret('a secret of a gateway')
const nowpayments = createNowpaymentsWebhook([gatewaySecret])
const btcpay = createBtcpayWebhook([gatewaySecret])
const NO_BYTES = new Uint8Array()

function swallow(read: () => unknown): unknown {
  try {
    return read()
  } catch (refusal) {
    return refusal
  }
}

type Sent = { body?: string; headers?: Record<string, string> }

async function send(endpoint: Endpoint, { body, headers }: Sent, path = endpoint.path) {
  const token = endpoint.access === 'operator' ? OPERATOR_TOKEN : user.as.accessToken
  const reply = await kit.app.inject({
    method: endpoint.method,
    url: API_BASE + path.replaceAll(/\{(\w+)\}/g, user.id),
    headers: {
      authorization: `Bearer ${token}`,
      'operator-name': 'Olga',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: body }),
    remoteAddress: anAddress(),
  })
  expectAnswer(reply, endpoint)
}

function expectAnswer(reply: LightMyRequestResponse, endpoint: Endpoint): void {
  const what = `${endpoint.method} ${endpoint.path}: ${reply.statusCode} ${reply.body.slice(0, 300)}`
  expect(reply.statusCode, what).toBeLessThan(500)
  expect(reply.body.length, what).toBeLessThan(1 << 20)
}

function worksOf(texts: readonly LongText[], readers: (text: string) => Readers): Work[] {
  return texts.flatMap(({ name, text }) =>
    Object.entries(readers(text)).map(([what, work]) => ({ what: `${what} of ${name}`, work })),
  )
}

/** As much of a text as an address can have. */
function inAddress(text: string, encode: (text: string) => string = encodeURIComponent): string {
  return encode(text.toWellFormed()).slice(0, ADDRESS_SIZE)
}

/** A text in each field of a call, in its path, and in its address. */
function fieldsWith(endpoint: Endpoint, { name, text }: LongText): Work[] {
  const call = `${endpoint.method} ${endpoint.path}`
  const works = Object.keys(fieldsOf(endpoint.body)).map((field) => ({
    what: `${call}: ${field} of ${name}`,
    work: () =>
      send(endpoint, { body: JSON.stringify(plausibleBody(endpoint, { [field]: text })) }),
  }))
  for (const field of Object.keys(fieldsOf(endpoint.query))) {
    const work = () => send(endpoint, {}, `${endpoint.path}?${field}=${inAddress(text)}`)
    works.push({ what: `${call}: ?${field}= of ${name}`, work })
  }
  return works
}

const headerNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-none-match',
  'operator-name',
  'range',
  'user-agent',
  'x-forwarded-for',
]

/** A text in each header of a call, a page and a file. */
function headersWith({ name, text }: LongText): Work[] {
  const urls = [
    ['POST', `${API_BASE}/auth/login`],
    ['POST', `${API_BASE}/transactions`],
    ['POST', `${API_BASE}/operator/pause`],
    ['GET', '/'],
    ['GET', '/favicon.svg'],
  ] as const
  return urls.flatMap(([method, url]) =>
    headerNames.map((header) => ({
      what: `${method} ${url}: ${header} of ${name}`,
      work: () =>
        kit.app.inject({
          method,
          url,
          headers: { 'content-type': 'application/json', [header]: text },
          ...(method === 'POST' && { payload: '{}' }),
          remoteAddress: anAddress(),
        }),
    })),
  )
}

/** Those that took longer than they may. */
async function listSlow(works: readonly Work[]): Promise<(Work & { ms: number })[]> {
  const slow: (Work & { ms: number })[] = []
  for (const { what, work } of works) {
    const ms = await leastCpuMs(work, CPU_MS_MAX)
    if (ms > CPU_MS_MAX) slow.push({ what, work, ms })
  }
  return slow
}

test('no text of a stranger, however it is made, takes the server more than a moment', async () => {
  const texts = longTexts()
  const sentTexts = texts.filter(({ text }) => text.endsWith('!'))
  const bodies = longBodies()
  const read = [
    ...worksOf(texts, readersOf),
    ...worksOf([...texts, ...bodies], bodyReadersOf),
    ...worksOf([...texts, ...longGatewayBodies()], gatewayReadersOf),
  ]
  const sent = calls.flatMap((endpoint) => [
    ...sentTexts.flatMap((text) => fieldsWith(endpoint, text)),
    ...(endpoint.method === 'GET' ? [] : bodies).map(({ name, text }) => ({
      what: `${endpoint.method} ${endpoint.path}: a body of ${name}`,
      work: () => send(endpoint, { body: text }),
    })),
  ])
  const addressed = sentTexts.flatMap(({ name, text }) =>
    ['/', `${API_BASE}/users/`, `${API_BASE}/nowhere?`].map((start) => ({
      what: `GET ${start} and ${name}`,
      work: () => kit.app.inject({ url: start + inAddress(text, encodeURI) }),
    })),
  )
  expect(calls.length).toBeGreaterThan(40)
  const works = [...read, ...sent, ...addressed, ...sentTexts.flatMap(headersWith)]
  expect(works.length).toBeGreaterThan(4_000)
  // What another process has slowed down for a while is asked once more: the slow stay slow.
  const slow = await listSlow(await listSlow(works))
  expect(slow.map(({ what, ms }) => `${Math.round(ms)} ms for ${what}`)).toEqual([])
}, 240_000)
