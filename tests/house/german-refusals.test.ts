import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from '#contract/contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { reasonsOf, refusals } from '#contract/error-body.ts'
import type { RefusalReason } from '#domain/refusal.ts'
import { projectRoot } from '#tools/project.ts'
import type { CallFault } from '#web/lib/api/call.ts'
import * as german from '#web/messages/de.ts'
import * as z from 'zod/mini'

/** Groups of calls that no buyer's page makes. */
const othersCalls = new Set(['audit', 'operatorAccount', 'sandbox', 'signIn', 'team', 'webhooks'])

/** The calls of buyers' pages. */
const buyersCalls: Endpoint[] = Object.entries(contract)
  .filter(([group]) => !othersCalls.has(group))
  .flatMap(([, group]): Endpoint[] => Object.values(group))
  .filter(({ access }) => access !== 'operator')

const buyersReasons = [...new Set(buyersCalls.flatMap((call) => [...reasonsOf(call)]))]

const refused = (reason: RefusalReason, change: Partial<CallFault> = {}): CallFault => ({
  code: refusals[reason].status,
  message: refusals[reason].message,
  reason,
  ...change,
})

const ofField = (path: string, message: string, code?: string) =>
  german.refusals(refused('InvalidInput', { errors: [{ path, message, code }] })).errors?.[0]
    ?.message

test.each(buyersReasons)('a buyer who reads German is told %s in German', (reason) => {
  const { message } = german.refusals(refused(reason))
  expect(message).not.toBe(refusals[reason].message)
  expect(message).toMatch(/\p{Lu}\p{Ll}+/u)
})

/** For fields that no buyer fills in: the page writes them. */
const pagesOwn = new Set([
  'amount',
  'bonuses',
  'chain',
  'consent',
  'fee',
  'former',
  'is_own_contract',
  'payment_token_id',
  'proof',
  'referrals',
  'refresh_token',
  'token',
  'token_price',
])

/** What every field may be sent as, and is refused for. */
const wrong = ['', 'x', 'x'.repeat(300), '1', 5, -1, true, null, undefined, {}]

function faultsOf(body: z.core.$ZodType): { path: string; message: string }[] {
  const fields = body instanceof z.ZodMiniObject ? Object.keys(body.shape) : []
  const texts = [...fields, ''].flatMap((field) =>
    wrong.map((value) => ({
      ...Object.fromEntries(fields.map((name) => [name, 'x'])),
      [field]: value,
    })),
  )
  return texts.flatMap((text) => {
    const { error } = z.safeParse(body, text)
    return (error?.issues ?? [])
      .filter(({ code }) => code !== 'unrecognized_keys')
      .map(({ path, message }) => ({ path: path.join('.'), message }))
  })
}

test('what is wrong with a field that a buyer fills in is said in German', () => {
  const faults = buyersCalls.flatMap(({ body }) => (body === undefined ? [] : faultsOf(body)))
  expect(faults.length).toBeGreaterThan(100)
  const english = faults.filter(
    ({ path, message }) =>
      !pagesOwn.has(path.split('.')[0] ?? '') && ofField(path, message) === message,
  )
  expect([...new Set(english.map(({ path, message }) => `${path}: ${message}`))]).toEqual([])
})

test('so is what only the use cases of buyers find wrong with it', () => {
  const rooms = [
    'access',
    'accounts',
    'purchases',
    'refunds',
    'reversals',
    'sessions',
    'two-factor',
    'wallets',
  ]
  const found = rooms
    .flatMap((room) => globSync(join(projectRoot, 'server', 'use-cases', room, '*.ts')))
    .filter((file) => !/make-batch|change-for-buyer/.test(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/wrongField\(\s*'(\w+)', '([^']+)'/g),
    ])
    .filter(([, path]) => path !== 'before')
  expect(found.length).toBeGreaterThan(3)
  for (const [, path = '', message = ''] of found) {
    expect(ofField(path, message), message).not.toBe(message)
  }
})

test('figures and times of the server stand in the German sentence as well', () => {
  const inGerman = (reason: RefusalReason, message: string, retryAfterSeconds?: number) =>
    german.refusals(refused(reason, { message, retryAfterSeconds })).message
  expect(inGerman('BelowMinimum', "Can't spend less than $1,234.50")).toContain('$1,234.50')
  expect(inGerman('NoTokensLeft', 'Only $12 worth of tokens are left right now')).toContain('$12 ')
  expect(
    inGerman(
      'UserWorthReached',
      'One account may reserve $5,000 at a time without paying. $40 of that is left right now. ',
      600,
    ),
  ).toMatch(/\$5,000 .*\$40 .*in 10 Minuten/)
})

test('between two stages it is the next one that has not started, in German as well', () => {
  const inGerman = (is_between_stages?: boolean) =>
    german.refusals(refused('SaleNotStarted', { is_between_stages })).message
  expect(inGerman(true)).toBe('Die nächste Phase des Verkaufs hat noch nicht begonnen')
  expect(inGerman(false)).toBe('Der Verkauf hat noch nicht begonnen')
  expect(inGerman()).toBe('Der Verkauf hat noch nicht begonnen')
})

test('a refusal without a German sentence keeps the server’s', () => {
  const fault = { ...refused('SweepRefused'), errors: [{ path: 'unknown', message: 'Wrong' }] }
  expect(german.refusals(fault)).toEqual({
    ...fault,
    errors: [{ path: 'unknown', message: 'Wrong', code: undefined }],
  })
})
