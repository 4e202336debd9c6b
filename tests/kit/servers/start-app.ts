import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { afterAll, beforeAll } from 'vitest'
import { isSandboxSale, type Sale } from '#domain/sale/sale.ts'
import { type AppOptions, buildApp } from '#server/app.ts'
import { buildDeliveryChains } from '#server/build-delivery-chains.ts'
import { buildRails, buildWallets } from '#server/build-rails.ts'
import { buildServices } from '#server/build-services.ts'
import { createSaleFiles } from '#server/create-sale-files.ts'
import { parseConfig } from '#server/config/config.ts'
import { allRoutes } from '#server/http/api/all-routes.ts'
import { startLiveFeed } from '#server/runtime/live-feed.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import { createWebhookSender, type Resolve } from '#server/runtime/webhook-sender.ts'
import { createSandboxPrices } from '#server/prices/sandbox-prices.ts'
import { readSaleText } from '#server/sale-file/read-sale-file.ts'
import { secret } from '#server/payments/variables.ts'
import type { SaleFiles } from '#server/ports/sale-files.ts'
import type { Log } from '#server/ports/runtime.ts'
import type { Services, Settings } from '#server/services.ts'
import { applySaleAtStart } from '#server/use-cases/sale/apply-sale.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import { rememberPasswords } from '#tests/kit/builders/sign-in/remembered-passwords.ts'
import { sql } from 'kysely'
import { createClient, type TestClient } from './client.ts'
import { takeTestDatabase, type TestDatabase } from './database.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { createTestClock, type TestClock } from './test-clock.ts'

export type TestApp = {
  app: FastifyInstance
  client: TestClient
  services: Services
  open: TestDatabase
  clock: TestClock
  mailbox: Mailbox
  /** What was logged as a warning or an error. Remove the faults that a test intended. */
  complaints: Complaint[]
  /** Lets time pass for the sale, for sessions and for rate limits alike. */
  passTime(ms: number): Promise<void>
  /** Throws if a call met a server fault, whatever its test looked at. */
  close(): Promise<void>
}

export type Complaint = { facts: Record<string, unknown>; message: string }

export type TestAppOptions = {
  /** Changes the shipped sale before it is applied. */
  changeSale?: (sale: Sale) => Sale
  settings?: Partial<Settings>
  app?: Partial<AppOptions>
  /** The environment variables of rails that are not simulated. */
  environment?: Record<string, string>
  /** How long a webhook's receiver may take, and how host names resolve to addresses. */
  webhooks?: { withinMs?: number; resolve?: Resolve }
  /** How often nodes are asked; null for what suits each chain. If left out, at each call. */
  pace?: Pace | null
  /** Another instance's database, to run beside it. */
  open?: TestDatabase
}

/** The test itself awaits each reading of a chain. */
const AT_ONCE: Pace = { everyMs: 0, pauseMs: 0, pauseMaxMs: 0, recheckMs: 0 }

/** The bearer token of operators' calls. */
export const OPERATOR_TOKEN = 'an-operator-token-for-tests-and-nothing-else'

const PUBLIC_URL = 'http://localhost:3000'

/** Has a second server on the same database go by the first one's time. */
export async function keepTime(first: TestApp, second: TestApp): Promise<TestApp> {
  second.clock.pass(first.clock.now().getTime() - second.clock.now().getTime())
  // The second one has fetched them by its own time.
  await refreshPrices(second.services)
  return second
}

/** The whole server on a fresh database, with a clock and a mail server that the test controls. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const open = options.open ?? (await takeTestDatabase())
  const clock = createTestClock()
  const mailbox = createMailbox()
  const complaints: Complaint[] = []
  const log = complainingLog(complaints)
  const config = parseConfig(options.environment ?? {})
  const read = readerOf(config.saleFile, options.changeSale)
  const { sale, fileId } = await applySaleAtStart(
    { database: open.database, clock },
    readFileSync(config.saleFile, 'utf8'),
    read,
  )
  const live = await startLiveFeed(open, log)
  const railsOf = (wanted: Sale) =>
    buildRails({
      settings: config.rails,
      sale: wanted,
      database: open.database,
      clock,
      log,
      pace: options.pace === undefined ? AT_ONCE : options.pace,
      publicUrl: null,
    })
  const { rails } = await railsOf(sale)
  const services = buildServices({
    open,
    settings: {
      publicUrl: PUBLIC_URL,
      isSandbox: isSandboxSale(sale),
      version: '1.1-3-g0123456789ab',
      secretKey: secret('a secret key for tests, and for nothing else'),
      operatorToken: secret(OPERATOR_TOKEN),
      metricsToken: null,
      ...options.settings,
    },
    clock,
    log,
    sale,
    saleFileId: fileId,
    saleFiles: { ...createSaleFiles(config, railsOf), read },
    passwordBounds: { runningMax: 2, waitingMax: 500 },
    rails,
    deliveryChains: buildDeliveryChains(config.rails.evm),
    wallets: buildWallets(config.rails, options.settings?.publicUrl ?? PUBLIC_URL),
    priceSource: createSandboxPrices(clock),
    mailSender: mailbox,
    webhookSender: createWebhookSender({ isSandbox: isSandboxSale(sale), ...options.webhooks }),
    live,
  })
  services.passwords = rememberPasswords(services.passwords)
  await refreshPrices(services)
  const app = await buildApp(services, {
    routes: allRoutes(services.settings.isSandbox),
    webFolder: null,
    trustedProxies: 0,
    ...options.app,
  })
  return {
    app,
    client: createClient(app),
    services,
    open,
    clock,
    mailbox,
    complaints,
    async passTime(ms) {
      clock.pass(ms)
      await sql`update rate_limits set expire = expire - ${ms}`.execute(open.database)
    },
    async close() {
      await app.close()
      await live.close()
      if (options.open === undefined) await open.close()
      const faults = complaints.filter(({ message }) => message === 'A call failed')
      if (faults.length > 0) throw new Error('Calls failed.', { cause: faults })
    },
  }
}

/** Starts so many instances on one database before the tests of a file, and stops them after. */
export function someInstances(count: number, options: Omit<TestAppOptions, 'open'> = {}) {
  const apps: TestApp[] = []
  beforeAll(async () => {
    const first = await startApp(options)
    const others = Array.from({ length: count - 1 }, () =>
      startApp({ ...options, open: first.open }),
    )
    apps.push(first, ...(await Promise.all(others)))
  })
  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close()
  })
  return {
    apps,
    /** Any number is one of them: tests take turns by counting. */
    oneOf(number: number): TestApp {
      const app = apps[number % apps.length]
      if (app === undefined) throw new Error('No instance was started.')
      return app
    },
  }
}

function readerOf(
  saleFile: string,
  changeSale: (sale: Sale) => Sale = (sale) => sale,
): SaleFiles['read'] {
  return (text, firstAppliedAt) => {
    const reading = readSaleText(text, { folder: dirname(saleFile), firstAppliedAt })
    return reading.ok ? { ...reading, sale: changeSale(reading.sale) } : reading
  }
}

function complainingLog(complaints: Complaint[]): Log {
  const complain: Log['warn'] = (facts, message) => complaints.push({ facts, message })
  const ignore = () => {}
  return { debug: ignore, info: ignore, warn: complain, error: complain }
}
