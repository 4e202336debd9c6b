import { existsSync } from 'node:fs'
import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openDatabase } from '#server/database/connection/open-database.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'
import { applySaleAtStart, type ReadSale, writeSale } from '#server/use-cases/sale/apply-sale.ts'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import {
  type ServerProcess,
  startServerOnFreePort,
  startServerProcess,
} from '#tests/kit/servers/server-process.ts'
import { projectRoot } from '#tools/project.ts'
import { takePort } from '#tools/testing/free-port.ts'

const LIMIT = { timeout: 90_000 }
const DAY_MS = 24 * 60 * 60 * 1000

let folder: string
let servers: ServerProcess[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presale-start-'))
  servers = []
})
afterEach(async () => {
  for (const server of servers) {
    server.process.kill('SIGKILL')
    await server.ended
  }
  await rm(folder, { recursive: true, force: true })
})

function start(environment: Record<string, string> = {}, cwd = projectRoot): ServerProcess {
  const server = startServerProcess({ DATA_DIR: join(folder, 'data'), ...environment }, { cwd })
  servers.push(server)
  return server
}

async function startOnFreePort(environment: Record<string, string> = {}) {
  const DATA_DIR = join(folder, 'data')
  const server = await startServerOnFreePort({ DATA_DIR, ...environment })
  servers.push(server)
  return { port: server.port, server }
}

/** As if the server had been started before; for tests of something else than the first start. */
const makeTables = () => unpackDatabase(join(folder, 'data', 'database'))

async function writeSaleFile(text: string): Promise<string> {
  const path = join(folder, 'sale.yaml')
  await writeFile(path, text)
  return path
}

/** As if a file had been applied so long ago, and then another one at the console. */
async function applyBefore(ms: number, disk: string, atConsole?: string): Promise<void> {
  await makeTables()
  const open = await openDatabase({ kind: 'embedded', folder: join(folder, 'data', 'database') })
  const { database } = open
  const now = new Date(Date.now() - ms)
  const read: ReadSale = (text, firstAppliedAt) => readSaleText(text, { folder, firstAppliedAt })
  await applySaleAtStart({ database, clock: { now: () => now } }, disk, read)
  const reading = atConsole === undefined ? null : read(atConsole, now)
  if (atConsole !== undefined && reading?.ok === true) {
    const plan = { ok: true, sale: reading.sale, changes: [], before: null } as const
    const by = { source: 'console', applied_at: now, operator_id: null, operator: 'Olga' } as const
    await database
      .transaction()
      .execute((transaction) => writeSale(transaction, plan, { text: atConsole, ...by }))
  }
  await open.close()
}

/** The data folder and everything in it. */
async function listData(): Promise<string[]> {
  const data = join(folder, 'data')
  const names = await readdir(data, { recursive: true })
  return [data, ...names.map((name) => join(data, name))]
}

/** What of it is not 700, of a folder, or 600, of a file. */
async function openToOthers(): Promise<string[]> {
  const modes = await Promise.all(
    (await listData()).map(async (path) => {
      const { mode } = await stat(path)
      return { path, mode: (mode & 0o777).toString(8), isFolder: (mode & 0o040_000) !== 0 }
    }),
  )
  return modes
    .filter(({ mode, isFolder }) => mode !== (isFolder ? '700' : '600'))
    .map(({ path, mode }) => `${mode} ${path}`)
}

/** A start that fails explains why in sentences, and ends. */
async function refusal(server: ServerProcess): Promise<string> {
  expect(await server.ended, server.out()).toBe(1)
  expect(server.err()).not.toMatch(/^\s+at |node:internal|\.ts:\d/m)
  return server.err().trim()
}

describe('the server', LIMIT, () => {
  test('opens with no settings, prints its address, and closes in an orderly way', async () => {
    const { port, server } = await startOnFreePort()
    await server.opened
    const address = `http://localhost:${port}`
    expect(server.out()).toContain(`The HUH Token presale is open at ${address}`)
    expect(server.out()).toMatch(/^Version: \S*\d\S*$/m)
    expect(server.out()).toContain('Database: embedded')
    expect(server.out()).toContain(`${address}/sandbox`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
    expect(await ready.json()).toEqual({ status: 'ready' })

    const keyFile = join(folder, 'data', 'secret-key')
    expect((await readFile(keyFile, 'utf8')).length).toBeGreaterThanOrEqual(32)
    expect(await openToOthers()).toEqual([])

    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(server.err()).toBe('')
    expect(existsSync(join(folder, 'data', 'database.lock'))).toBe(false)
  })

  test('closes in an orderly way though npm passes on the signal that the terminal has sent', async () => {
    await makeTables()
    const { server } = await startOnFreePort()
    await server.opened
    // Two signals of one kind may arrive as one; each of these does what SIGINT does.
    server.process.kill('SIGTERM')
    server.process.kill('SIGINT')
    expect(await server.ended).toBe(0)
    expect(existsSync(join(folder, 'data', 'database.lock'))).toBe(false)
  })

  test('keeps its data from all other users of the machine, also what they could read before', async () => {
    await makeTables()
    await writeFile(join(folder, 'data', 'secret-key'), 'k'.repeat(64))
    for (const path of await listData()) {
      await chmod(path, (await stat(path)).isDirectory() ? 0o777 : 0o666)
    }
    const { server } = await startOnFreePort()
    await server.opened
    expect(await openToOthers()).toEqual([])
  })

  test('leaves the mode of a data folder alone that holds other things too', async () => {
    await unpackDatabase(join(folder, 'database'))
    await writeFile(join(folder, 'notes.txt'), 'Something of the operator')
    await chmod(folder, 0o755)
    const server = await startServerOnFreePort({ DATA_DIR: folder })
    servers.push(server)
    await server.opened
    expect((await stat(folder)).mode & 0o777).toBe(0o755)
    expect((await stat(join(folder, 'database'))).mode & 0o777).toBe(0o700)
  })

  test('reports all faults of its settings at once', async () => {
    const output = await refusal(
      start({ PORT: 'http', PUBLIC_URL: 'presale', DATABASE_URL: 'postgres://localhost/x' }),
    )
    expect(output).toMatch(/^- PORT must be a whole number from 1 to 65535\.$/m)
    expect(output).toMatch(/^- PUBLIC_URL must be an address such as https:/m)
    expect(output).toMatch(/^- SECRET_KEY must be set where DATABASE_URL is/m)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('refuses a file of settings that is a link to nowhere', async () => {
    const file = join(folder, '.env')
    await symlink(join(folder, 'moved'), file)
    expect(await refusal(start({}, folder))).toContain(`${file} must be readable by the user`)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test.each([
    ['before there is a database', async () => {}],
    ['with one', makeTables],
  ])('refuses a wrong sale file whole, with the line of each fault, %s', async (_, prepare) => {
    await prepare()
    const saleFile = join(folder, 'sale.yaml')
    await writeFile(saleFile, changeLine('    token_price: 0.5', '    token_price: free'))
    const output = await refusal(start({ SALE_FILE: saleFile }))
    expect(output).toContain('Nothing of it was applied')
    expect(output).toMatch(/sale\.yaml:\d+:\d+ stages\[0\]\.token_price/)
  })

  test('starts again in mid-sale with a file of which only some dates are instants', async () => {
    const endsAt = new Date(Date.now() - 30 * DAY_MS).toISOString()
    const text = changeLine('    end_date: P30D', `    end_date: ${endsAt}`)
    await applyBefore(60 * DAY_MS, text)
    const { server } = await startOnFreePort({ SALE_FILE: await writeSaleFile(text) })
    await server.opened
    expect(server.out()).not.toContain('The sale:')
  })

  test('starts with the file of the console though the one on the disk has lost its pictures', async () => {
    const text = changeLine(
      '  copyright_year',
      '  pictures: { logo: logo.png }\n  copyright_year: 1999',
    )
    const logo = join(folder, 'logo.png')
    await cp(join(projectRoot, 'sales/brand/logo.png'), logo)
    await applyBefore(DAY_MS, text, SMALL_SALE_FILE)
    await rm(logo)
    const { server } = await startOnFreePort({ SALE_FILE: await writeSaleFile(text) })
    await server.opened
    expect(server.out()).toContain('The sale stays the one that was applied in the console')
  })

  test('refuses a sale file that is not there', async () => {
    expect(await refusal(start({ SALE_FILE: join(folder, 'none.yaml') }))).toContain('none.yaml')
  })

  test('refuses to sell for real without what that needs', async () => {
    const saleFile = join(folder, 'sale.yaml')
    await writeFile(saleFile, changeLine('    payment_provider_ids', REAL_RAIL))
    const output = await refusal(start({ SALE_FILE: saleFile }))
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'SECRET_KEY']) {
      expect(output).toContain(`- ${name} must be set: the sale takes real payments.`)
    }
  })

  test('reports that its port is taken', async () => {
    await makeTables()
    const taken = await takePort()
    const output = await refusal(start({ PORT: String(taken.port) }))
    expect(output).toBe(
      `Port ${taken.port} is in use by another program. ` +
        'Stop that program, or choose another port with PORT.',
    )
    await taken.release()
    expect(existsSync(join(folder, 'data', 'database.lock'))).toBe(false)
  })

  test('reports that its folder belongs to another process', async () => {
    await makeTables()
    const { server } = await startOnFreePort()
    await server.opened
    const second = await startOnFreePort()
    expect(await refusal(second.server)).toContain(join(folder, 'data'))
    expect(server.process.exitCode).toBeNull()
  })

  test('refuses another secret key than its data was used with, until the setting confirms it', async () => {
    await makeTables()
    const { server } = await startOnFreePort()
    await server.opened
    server.process.kill('SIGTERM')
    await server.ended
    const SECRET_KEY = 'another secret key than the one in the folder'
    const output = await refusal(start({ SECRET_KEY }))
    expect(output).toMatch(/^SECRET_KEY is another one .* Put the former key back/)
    expect(output).not.toContain(SECRET_KEY)
    const [, ACCEPT_NEW_KEY = ''] = /ACCEPT_NEW_KEY=(\w+)/.exec(output) ?? []
    const DATA_DIR = join(folder, 'data')
    const accepted = await startServerOnFreePort({ DATA_DIR, SECRET_KEY, ACCEPT_NEW_KEY })
    servers.push(accepted)
    await accepted.opened
  })

  test('reports that its database does not answer', async () => {
    const output = await refusal(
      start({
        DATABASE_URL: 'postgres://presale:hunter2@127.0.0.1:1/presale',
        SECRET_KEY: 'a secret key for tests, and for nothing else',
      }),
    )
    expect(output).toContain('DATABASE_URL')
    expect(output).not.toContain('hunter2')
  })
})

const REAL_RAIL = '    chain_id: 1\n    payment_provider_ids: { evm: eth }'
