import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { aRegistration } from '#tests/kit/builders/a-user.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { inheritedEnvironment, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { projectRoot } from '#tools/project.ts'

/** What an operator does by the command, to a server that runs as a process of its own. */
let server: Awaited<ReturnType<typeof startServerOnFreePort>>
let folder: string
let buyer: { id: string; email: string; token: string }
let purchase: { id: string; address: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-operator-'))
  await unpackDatabase(join(folder, 'database'))
  server = await startServerOnFreePort({ DATA_DIR: folder })
  await server.opened
  buyer = await register()
  purchase = await buyAndPay()
})
afterAll(async () => {
  server.process.kill('SIGKILL')
  await server.ended
  await rm(folder, { recursive: true, force: true })
})

async function post(path: string, body: object, token?: string) {
  const reply = await fetch(`http://127.0.0.1:${server.port}${API_BASE}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  expect(reply.ok, path).toBe(true)
  return (await reply.json()) as { data: Record<string, never> }
}

async function register() {
  const { data } = await post('/auth/register', aRegistration({ first_name: '=1+1' }))
  const { user, tokens } = data as unknown as {
    user: { id: string; email: string }
    tokens: { access: { token: string } }
  }
  return { ...user, token: tokens.access.token }
}

/** A purchase for the stage's minimum and a half more, all of it confirmed. */
async function buyAndPay() {
  const body = { purchase_amount: 100, purchase_token_id: 'eth' }
  const { data } = await post('/transactions', body, buyer.token)
  const { id, payment_address, payment_amount } = data as unknown as Record<string, string>
  const address = payment_address ?? ''
  await post('/sandbox/payments', { address, amount: payment_amount })
  await post('/sandbox/blocks', { count: 2 })
  return { id: id ?? '', address }
}

type Ran = { code: number; out: string; err: string }

/** Runs the command as an operator does on the server's machine. */
function operator(...words: string[]): Promise<Ran> {
  const env = { ...inheritedEnvironment(), DATA_DIR: folder, PORT: String(server.port) }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['server/operator/main.ts', ...words],
      { cwd: projectRoot, env },
      (fault, out, err) => resolve({ code: fault === null ? 0 : Number(fault.code), out, err }),
    )
  })
}

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await operator('--as', 'Olga', '--json', ...words)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Record<string, unknown>
}

test('shows who is owed how many tokens, as CSV and as JSON', async () => {
  const { code, out, err } = await operator('allocations')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [header, line, end] = out.split('\r\n')
  expect(header).toBe('"user_id","email","name","base_tokens","bonus_tokens","total_tokens"')
  expect(line).toContain(`"${buyer.id}","${buyer.email}","'=1+1 Lovelace",`)
  expect(end).toBe('')
  const rows = (await json('allocations')) as unknown as Record<string, string>[]
  expect(rows).toMatchObject([{ user_id: buyer.id, name: '=1+1 Lovelace' }])
  expect(line?.endsWith(`,"${rows[0]?.['total_tokens']}"`)).toBe(true)
})

test('finds purchases, fails one, pays its refund back and records who did it', async () => {
  const found = await operator('purchases', '--q', buyer.email, '--status', 'completed')
  expect(found.out).toContain(`id: ${purchase.id}`)
  expect((await operator('purchases', '--status', 'expired')).out).toContain('data: none')
  const shown = await operator('purchases', purchase.id)
  expect(shown.out).toMatch(/ledger:\n(.*\n)*.*destination: user:/)

  const failed = await json('purchases', 'fail', purchase.id, '--reason', 'It was a mistake')
  expect(failed).toMatchObject({ status: 'failed', marks: [{ reason: 'It was a mistake' }] })
  const { data } = (await json('refunds', '--limit', '5')) as { data: Record<string, string>[] }
  expect(data).toMatchObject([{ purchase_id: purchase.id, reason: 'failed', state: 'open' }])
  const receipt = data[0]?.['receipt_id'] ?? ''
  const missing = await operator('refunds', 'pay', receipt)
  expect(missing.err).toContain('--hash is missing. Expected: refunds pay <id> --hash <string>')
  const paid = await operator('--as', 'Olga', 'refunds', 'pay', receipt, '--hash', 'it-went-back')
  expect(paid).toMatchObject({ code: 0, err: '' })
  expect(paid.out).toContain('state: paid')
  expect((await operator('refunds')).out).toContain('data: none')
  expect((await operator('refunds', '--state', 'all')).out).toContain('paid hash: it-went-back')
  expect((await operator('status')).out).toMatch(
    /refunds:\n {2}open: 0\n {2}promised: 0\n {2}paid: 1/,
  )

  const { data: actions } = (await json('actions', '--limit', '2')) as { data: unknown[] }
  expect(actions).toMatchObject([
    { act: 'payRefund', operator: 'Olga', address: '127.0.0.1', purchase_id: purchase.id },
    { act: 'failPurchase', operator: 'Olga', details: { reason: 'It was a mistake' } },
  ])
}, 60_000)

test('asks for a new password, and keeps no address of the user in the log', async () => {
  const asked = await operator('users', 'require-password-change', buyer.email)
  expect(asked.out).toContain('requires password change: yes')
  const refused = await operator('users', 'end-two-factor', buyer.id)
  expect(refused).toMatchObject({ code: 1, out: '', err: 'Two-factor login is not on\n' })
  expect(server.out()).toContain('requirePasswordChange')
  expect(server.out() + server.err()).not.toContain(buyer.email)
})

test.each<[string, string[], RegExp]>([
  [
    'a purchase too many',
    ['purchases', 'a', 'b'],
    /Expected: purchases .*\n {6}or: purchases <id>/,
  ],
  ['a purchase that is none', ['purchases', 'x'], /There is no purchase with this id/],
  [
    'the number of a purchase instead of its id',
    ['purchases', 'fail', '3F9A-12BC', '--reason', 'x'],
    /3F9A-12BC is the number of a purchase.* whole id.*purchases --q 3F9A-12BC/,
  ],
  ['a refund that is none', ['refunds', 'pay', 'x', '--hash', 'y'], /no receipt with this id/],
  ['no purchase', ['purchases', 'hold', '--reason', 'x'], /Expected: purchases hold <id>/],
  ['a status that is none', ['purchases', '--status', 'paid'], /status: /],
  ['a name that no header carries', ['--as', 'Ольга', 'status'], /--as must be a name/],
])('explains what is wrong with %s', async (_, words, sentence) => {
  const { code, out, err } = await operator(...words)
  expect(err).toMatch(sentence)
  expect({ code, out }).toEqual({ code: 1, out: '' })
})
