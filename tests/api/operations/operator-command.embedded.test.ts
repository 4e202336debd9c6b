import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { readCommand } from '#server/operator/commands.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { inheritedEnvironment, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'
import { projectRoot } from '#tools/project.ts'

let server: Awaited<ReturnType<typeof startServerOnFreePort>>
let folder: string
let settings: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-operator-'))
  await unpackDatabase(join(folder, 'database'))
  server = await startServerOnFreePort({ DATA_DIR: folder })
  settings = { DATA_DIR: folder, PORT: String(server.port) }
  await server.opened
})
afterAll(async () => {
  server.process.kill('SIGKILL')
  await server.ended
  await rm(folder, { recursive: true, force: true })
})

type Ran = { code: number; out: string; err: string }

/** Runs the command as an operator does on the server's machine. */
function operator(
  words: string[],
  environment: Record<string, string> = {},
  cwd = projectRoot,
): Promise<Ran> {
  const env = { ...inheritedEnvironment(), ...settings, ...environment }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(projectRoot, 'server/operator/main.ts'), ...words],
      { cwd, env },
      (fault, out, err) => resolve({ code: fault === null ? 0 : Number(fault.code), out, err }),
    )
  })
}

/** Runs the command against a server that is played. */
async function operatorOf(words: string[], answer: (response: ServerResponse) => void) {
  const played = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(played, 'listening')
  const { port } = played.address() as AddressInfo
  const ran = await operator(['--url', `http://127.0.0.1:${port}`, ...words])
  played.close()
  return ran
}

const stageStatus = async () =>
  (await fetch(`http://127.0.0.1:${server.port}${API_BASE}/stages/active`)).status

test('pauses, shows and resumes a running sale without being given a token', async () => {
  const paused = await operator(['pause', '--reason', 'Nodes are being moved'])
  expect(paused).toMatchObject({ code: 0, err: '' })
  expect(paused.out).toContain('status: PAUSED')
  expect(paused.out).toContain('reason: Nodes are being moved')
  expect(await stageStatus()).toBe(503)
  const { out: status } = await operator(['status'])
  expect(status).toMatch(/breaches: none\n/)
  const [version = 'none'] = /^Version: .+$/m.exec(server.out()) ?? []
  expect(status, 'as at its start').toContain(version.replace('V', 'v'))
  const resumed = await operator(['--json', 'resume'])
  expect(JSON.parse(resumed.out)).toMatchObject({ status: 'ACTIVE', pause: null })
  expect(await stageStatus()).toBe(200)
})

test('is logged by the server, without its token', async () => {
  const token = (await operator(['token'])).out.trim()
  expect(token).toMatch(/^[\w-]{43}$/)
  await operator(['status'])
  expect(server.out()).toMatch(/An operator makes a call.*"call":"getSaleState".*"127.0.0.1"/)
  expect(server.out() + server.err()).not.toContain(token)
})

test.each<[string, string[], Record<string, string>, RegExp]>([
  [
    'an unknown command',
    ['stop'],
    {},
    /^There is no command "stop"\. Without a command, all of them are listed/,
  ],
  ['an unknown option', ['pause', '--why', 'x'], {}, /--why.*Expected: pause --reason <string>/],
  ['a missing option', ['pause'], {}, /--reason is missing/],
  ['a word too many', ['status', 'now'], {}, /Expected: status/],
  ['an empty reason', ['pause', '--reason', ' '], {}, /reason: Say in a few words/],
  [
    'a wrong token',
    ['status'],
    { OPERATOR_TOKEN: 'a-token-of-some-other-server-altogether' },
    /token is missing or wrong/,
  ],
  ['a wrong address', ['--url', 'presale', 'status'], {}, /--url must be an address/],
  ['no server', ['status'], { PORT: '1' }, /No server answers at http:\/\/127\.0\.0\.1:1/],
  ['no data', ['status'], { DATA_DIR: '/nowhere' }, /There is no secret key in \/nowhere/],
  ['a wrong variable', ['status'], { PORT: 'x' }, /PORT must be a whole number/],
])('explains what is wrong with %s', async (_, words, environment, sentence) => {
  const { code, out, err } = await operator(words, environment)
  expect(err).toMatch(sentence)
  expect(err).not.toMatch(/ at .*\.ts:/)
  expect({ code, out }).toEqual({ code: 1, out: '' })
})

test('explains that a link to its settings leads nowhere', async () => {
  const file = join(folder, '.env')
  await symlink(join(folder, 'moved'), file)
  const { code, err } = await operator(['status'], {}, folder)
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(`${file} must be readable by the user`),
  })
})

test.each<[string, (response: ServerResponse) => void]>([
  ['before the reply', (response) => response.destroy()],
  [
    'within the reply',
    (response) => {
      response.writeHead(200, { 'content-length': '10' })
      response.write('{', () => response.destroy())
    },
  ],
  ['by a proxy that waits no longer', (response) => response.writeHead(504).end('<html>')],
])('says that an act may have been done if the connection ends %s', async (_, answer) => {
  const unknown = /^The server at http:\/\/127\S+ does not answer: .+\. Check whether it was done/
  const paused = await operatorOf(['pause', '--reason', 'A look'], answer)
  expect(paused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(unknown) })
  const shown = await operatorOf(['status'], answer)
  expect(shown.err).toMatch(/^The server at http\S+ does not answer: .+\. Try again\n$/)
})

test('says that an act is done where the server has nothing to say of it', async () => {
  const words = ['inbox', 'close', '--kind', 'mail', '--id', '1', '--reason', 'Seen']
  const nothing = (response: ServerResponse) => response.writeHead(204).end()
  expect(await operatorOf(words, nothing)).toEqual({ code: 0, out: 'Done\n', err: '' })
  expect(await operatorOf(['--json', ...words], nothing)).toEqual({ code: 0, out: '', err: '' })
})

test('without a command lists all of them', async () => {
  const { code, out } = await operator([])
  expect(code).toBe(0)
  for (const name of ['status', 'pause', 'resume', 'token']) expect(out).toContain(`\n  ${name}`)
})

test('every list that takes a state takes all of them as well', async () => {
  const words = ['--json', 'webhooks', 'create', '--url', 'http://localhost:9']
  const { out } = await operator([...words, '--events', 'sale.paused'])
  const { endpoint } = JSON.parse(out) as { endpoint: { id: string } }
  const deliveries = ['webhooks', 'deliveries', endpoint.id, '--state', 'all']
  expect(await operator(deliveries)).toMatchObject({ code: 0, err: '' })
  // The others only have their words read by the command, since a process of its own takes long.
  const token = (await operator(['token'])).out.trim()
  const lists = ['approvals', 'refunds', 'refund-claims', 'refund-batches', 'foreign-transfers']
  for (const list of lists) {
    const { path, query } = readCommand([list, '--state', 'all'])
    const address = `http://127.0.0.1:${server.port}${API_BASE}${path}?${new URLSearchParams(query)}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    expect({ address, status: reply.status }).toEqual({ address, status: 200 })
    expect(address).toMatch(/\?state=all$/)
  }
})

test('writes the file of a batch as a wallet reads it, with its note and hash beside it', async () => {
  const text = 'token_type,token_address,receiver,amount,id\nnative,,0x52,0.02,\n'
  const file = { name: 'payouts-1.safe.csv', media_type: 'text/csv', text, note: 'Compare first.' }
  const words = ['refund-batches', 'files', '1', 'safe_csv']
  const { code, out, err } = await operatorOf(words, (response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...file, sha256: 'ab12' }))
  })
  expect({ code, out }).toEqual({ code: 0, out: text })
  expect(err).toMatch(/payouts-1\.safe\.csv[^]*Compare first\.[^]*ab12/)
})
