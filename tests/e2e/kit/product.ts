import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  type DatabaseConfig,
  type OpenDatabase,
  openDatabase,
} from '#server/database/connection/open-database.ts'
import { unpackDatabase } from '#tests/kit/servers/embedded-template.ts'
import { copyTemplate } from '#tests/kit/servers/postgres-databases.ts'
import { sharedTemplate } from '#tests/kit/servers/shared-template.ts'
import { projectRoot } from '#tools/project.ts'
import { type ServerProcess, startServerOnFreePort } from '#tests/kit/servers/server-process.ts'

/** The whole product as an operator starts it, in the sandbox. */
export type Product = {
  /** What the product printed as the address to open, without a slash at the end. */
  address: string
  /** What its operators' command uses. */
  operatorToken: string
  /** Ends it in good order; rejects where it had ended before or has to be killed. */
  stop: () => Promise<void>
}

/** A product whose clock a test moves forward; the test has to move the browser's too. */
export type ProductInTime = Product & { passTime: (ms: number) => Promise<void> }

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
const clockPreload = pathToFileURL(join(projectRoot, 'tests/e2e/kit/server-clock.ts')).href

type FolderOptions = {
  /**
   * The embedded one if left out, whose clock can be moved. A product on PostgreSQL takes a quarter
   * of the time to start.
   */
  database?: DatabaseConfig['kind']
  /** Whether it makes the tables of its embedded database itself. */
  fromNothing?: boolean
}

type ProductOptions = FolderOptions & {
  isInTime?: boolean
  /** Settings besides those of its folder. */
  environment?: Record<string, string>
  /** Puts into its database what has to be there when it starts. */
  prepare?: (open: OpenDatabase) => Promise<void>
}

/** Starts the product on a free port, with a folder of its own: {@link makeProductFolder}. */
export async function startProduct(
  saleFile: string | null,
  { isInTime = false, environment: more, prepare, ...options }: ProductOptions = {},
): Promise<ProductInTime> {
  const { folder, environment, config, remove } = await makeProductFolder(saleFile, options)
  if (prepare !== undefined) {
    const open = await openDatabase(config)
    await prepare(open)
    await open.close()
  }
  const clockFile = join(folder, 'clock')
  const operatorToken = randomBytes(32).toString('hex')
  const server = await startServerOnFreePort({
    OPERATOR_TOKEN: operatorToken,
    TRUSTED_PROXIES: '1',
    ...environment,
    ...more,
    ...(isInTime && { CLOCK_FILE: clockFile, NODE_OPTIONS: `--import ${clockPreload}` }),
  })
  const { port } = server
  try {
    const limit = setTimeout(() => void server.stop('SIGKILL'), START_LIMIT_MS)
    await server.opened
    clearTimeout(limit)
    const address = new RegExp(String.raw`http://[\w.-]+:${port}`).exec(server.out())?.[0]
    if (address === undefined) throw new Error(`No address to open in:\n${server.out()}`)
    const stopAndCleanUp = async () => {
      try {
        await stop(server)
      } finally {
        await remove()
      }
    }
    let aheadMs = 0
    const passTime = async (ms: number) => {
      aheadMs += ms
      await writeFile(clockFile, String(aheadMs))
      server.process.kill('SIGUSR2')
    }
    return { address, operatorToken, passTime, stop: stopAndCleanUp }
  } catch (fault) {
    await server.stop('SIGKILL')
    await remove()
    throw fault
  }
}

async function stop(server: ServerProcess): Promise<void> {
  if (server.process.exitCode !== null) {
    throw new Error(`The product ended in the middle of the tests. It said:\n${server.err()}`)
  }
  const limit = setTimeout(() => void server.stop('SIGKILL'), STOP_LIMIT_MS)
  const code = await server.stop()
  clearTimeout(limit)
  if (code !== 0) throw new Error(`The product ended with ${code}. It said:\n${server.err()}`)
}

/** A test's own folder and database, and the settings of a product with them. */
export type ProductFolder = {
  folder: string
  environment: Record<string, string>
  config: DatabaseConfig
  remove: () => Promise<void>
}

/**
 * Makes a folder for a product with this sale file, or the shipped one if null. Its database
 * already has its tables, unless it is to be started `fromNothing`.
 */
export async function makeProductFolder(
  saleFile: string | null,
  { database = 'embedded', fromNothing = false }: FolderOptions = {},
): Promise<ProductFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'presale-e2e-'))
  const data = join(folder, 'data')
  const environment: Record<string, string> = { DATA_DIR: data }
  if (saleFile !== null) {
    environment['SALE_FILE'] = join(folder, 'sale.yaml')
    await writeFile(environment['SALE_FILE'], saleFile)
  }
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (database === 'embedded') {
    const config = { kind: 'embedded', folder: join(data, 'database') } as const
    if (!fromNothing) await unpackDatabase(config.folder)
    return { folder, environment, config, remove: removeFolder }
  }
  const { url, drop } = await copyTemplate(sharedTemplate())
  environment['DATABASE_URL'] = url
  environment['SECRET_KEY'] = randomBytes(32).toString('hex')
  const remove = async () => {
    await drop()
    await removeFolder()
  }
  return { folder, environment, config: { kind: 'postgres', url }, remove }
}
