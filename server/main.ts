import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { changeText } from '#domain/sale/changes/sale-changes.ts'
import { isSandboxSale, type Sale } from '#domain/sale/sale.ts'
import { buildApp } from './app.ts'
import { buildDeliveryChains } from './build-delivery-chains.ts'
import { type BuiltRails, buildRails, buildWallets } from './build-rails.ts'
import { buildServices } from './build-services.ts'
import {
  type Config,
  ConfigFaults,
  listMissingForSale,
  parseConfig,
  readEnvironment,
} from './config/config.ts'
import { startDatabaseClock } from './runtime/database-clock.ts'
import { openDatabase, type OpenDatabase } from './database/connection/open-database.ts'
import { pinKey } from './database/rails/pinned-keys.ts'
import { findAppliedFile } from './database/sale/sale-files.ts'
import type { Database } from './database/tables/tables.ts'
import { allRoutes } from './http/api/all-routes.ts'
import { startLiveFeed } from './runtime/live-feed.ts'
import { createLog } from './runtime/log.ts'
import { createSmtpSender } from './mail/smtp-sender.ts'
import { createOutgoing } from './runtime/outgoing.ts'
import { createPriceFeeds } from './prices/price-feeds.ts'
import { createSandboxPrices } from './prices/sandbox-prices.ts'
import { createWebhookSender } from './runtime/webhook-sender.ts'
import { lowerHashingPriority } from './security/hashing-priority.ts'
import { deriveOperatorToken, fingerprintOf, provideSecretKey } from './config/secret-key.ts'
import { createSaleFiles } from './create-sale-files.ts'
import { openSaleFile, readSaleFile, readSaleText } from './sale-file/read-sale-file.ts'
import { listSaleWarnings } from './sale-warnings.ts'
import type { MailSender } from '#server/ports/mail.ts'
import type { Secret } from '#server/ports/runtime.ts'
import type { Services } from '#server/services.ts'
import { explainStartFault, StartFault } from './start-faults.ts'
import { applySaleAtStart, SaleRefused } from './use-cases/sale/apply-sale.ts'
import { refreshPrices } from './use-cases/sale/refresh-prices.ts'
import { version } from './version.ts'
import { startWorkers } from './workers/start-workers.ts'

const webFolder = fileURLToPath(new URL('../dist/web', import.meta.url))
const CLOSE_WITHIN_MS = 10_000
/** Under npm, Ctrl-C comes twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1_000
const PASSWORD_BOUNDS = { runningMax: 2, waitingMax: 32 }

const closers: (() => Promise<void>)[] = []
let saleFile: string | null = null

try {
  await start(parseConfig(readEnvironment()))
} catch (fault) {
  process.stderr.write(`${explainStartFault(fault, saleFile)}\n`)
  await closeAll()
  // A partly opened resource must not keep the process alive.
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  saleFile = config.saleFile
  const disk = openDiskFile(config)

  const open = await openDatabase(databaseConfig(config))
  closers.push(() => open.close())
  const clock = await startDatabaseClock(open.database, log)
  closers.push(() => clock.close())
  // Faults of a first start are found before anything of it is kept.
  if ((await findAppliedFile(open.database)) === null) checkSale(config, { ok: true, text: disk })
  const secretKey = await admitSecretKey(config, open.database, clock.now())
  const applied = await applySaleAtStart(
    { database: open.database, clock },
    disk,
    (text, firstAppliedAt) => {
      const reading = readSaleText(text, { folder: dirname(config.saleFile), firstAppliedAt })
      if (reading.ok) requireSettings(config, reading.sale)
      return reading
    },
  )
  const { sale, changes } = applied
  for (const change of changes) log.info({}, `The sale: ${changeText(change)}`)
  if (applied.source === 'console') {
    log.warn(
      { saleFile: config.saleFile },
      'The sale stays the one that was applied in the console. The sale file on the disk is ' +
        'older, and is applied once it is changed',
    )
  }
  const { publicUrl } = config.http
  const warnings = listSaleWarnings({ ...applied, publicUrl, now: clock.now() })
  for (const warning of warnings) log.warn({}, warning)

  const railsOf = (wanted: Sale) =>
    buildRails({
      settings: config.rails,
      publicUrl,
      sale: wanted,
      database: open.database,
      clock,
      log,
    })
  const { rails, keys } = await railsOf(sale)
  const saleFiles = createSaleFiles(config, railsOf)
  const given = { open, clock, log, rails, sale, saleFileId: applied.fileId, saleFiles }
  const services = await prepareServices(config, secretKey, given)
  lowerHashingPriority(log)
  const hasWeb = existsSync(webFolder)
  const app = await buildApp(services, {
    routes: allRoutes(services.settings.isSandbox),
    webFolder: hasWeb ? webFolder : null,
    trustedProxies: config.http.trustedProxies,
    connectionsMax: config.http.connectionsMax,
  })
  // There must be prices before the first call.
  await refreshPrices(services)
  closers.push(startWorkers(services))
  closers.push(() => app.close())
  await app.listen({ port: config.http.port, host: config.http.host })
  stopOnSignals()
  announce(services, open, { hasWeb, keys })
}

/**
 * The text of the sale file, read once, since somebody may change it meanwhile. It is checked
 * before a first database is made.
 */
function openDiskFile(config: Config): string {
  const { database } = config
  const opened = openSaleFile(config.saleFile)
  const isNew = database.kind === 'embedded' && !existsSync(database.folder)
  if (isNew || !opened.ok) checkSale(config, opened)
  return opened.ok ? opened.text : ''
}

/**
 * As a first sale, which begins now. Later only what was applied says from when the durations of
 * the file count, and whether it is used at all.
 */
function checkSale(config: Config, opened: ReturnType<typeof openSaleFile>): void {
  const reading = readSaleFile(config.saleFile, opened, new Date())
  if (!reading.ok) throw new SaleRefused(reading.faults)
  requireSettings(config, reading.sale)
}

function requireSettings(config: Config, sale: Sale): void {
  const missing = listMissingForSale(config, sale)
  if (missing.length > 0) throw new ConfigFaults(missing)
}

/** Refuses another key than the one by which what is stored was sealed and signed. */
async function admitSecretKey(config: Config, database: Database, now: Date): Promise<Secret> {
  const key = config.secretKey ?? (await provideSecretKey(config.dataFolder))
  const fingerprint = fingerprintOf(key)
  const isAccepted = config.rails.acceptedKeys.has(fingerprint)
  const pin = await pinKey(database, { name: 'SECRET_KEY', fingerprint }, isAccepted, now)
  if (pin.outcome !== 'refused') return key
  throw new StartFault(
    'SECRET_KEY is another one than this database was used with, so authenticator apps, secrets of ' +
      'webhooks and the audit log could not be read. Put the former key back: it belongs to each ' +
      `backup. If it is lost for good, start with ACCEPT_NEW_KEY=${fingerprint}; everybody has to ` +
      'log in again, and whoever has an authenticator app needs an operator for that',
  )
}

function databaseConfig({ database }: Config) {
  return database.kind === 'embedded' ? database : { ...database, url: database.url.reveal() }
}

async function prepareServices(
  config: Config,
  secretKey: Secret,
  given: Pick<Services, 'clock' | 'log' | 'rails' | 'sale' | 'saleFileId' | 'saleFiles'> & {
    open: OpenDatabase
  },
): Promise<Services> {
  const { open, clock, log, sale } = given
  const live = await startLiveFeed(open, log)
  closers.push(() => live.close())
  const publicUrl = config.http.publicUrl ?? `http://localhost:${config.http.port}`
  const isSandbox = isSandboxSale(sale)
  const services: Services = buildServices({
    ...given,
    live,
    settings: {
      publicUrl,
      isSandbox,
      version,
      secretKey,
      operatorToken: config.operatorToken ?? deriveOperatorToken(secretKey),
      metricsToken: config.metricsToken,
    },
    wallets: buildWallets(config.rails, publicUrl),
    passwordBounds: PASSWORD_BOUNDS,
    deliveryChains: buildDeliveryChains(config.rails.evm),
    priceSource: isSandbox
      ? createSandboxPrices(clock)
      : createPriceFeeds({ settings: config.prices, outgoing: createOutgoing(), clock, log }),
    mailSender: createMailSender(config, () => services.sale.project.name, publicUrl),
    webhookSender: createWebhookSender({ isSandbox }),
  })
  return services
}

function createMailSender({ mail }: Config, nameOf: () => string, publicUrl: string): MailSender {
  // The mails kept in the outbox are the sandbox's mailbox.
  if (mail.kind === 'sandbox') return { isReal: false, send: async () => {} }
  const { hostname } = new URL(publicUrl)
  const from = {
    // The project may be renamed while the server runs.
    get name() {
      return nameOf()
    },
    address: `no-reply@${hostname}`,
  }
  const sender = createSmtpSender(mail.url, from)
  closers.push(async () => sender.close())
  return sender
}

function announce(
  { settings, sale, mailSender }: Services,
  open: OpenDatabase,
  { hasWeb, keys }: { hasWeb: boolean; keys: BuiltRails['keys'] },
): void {
  const database = open.kind === 'embedded' ? 'embedded' : 'PostgreSQL'
  const toDo = mailSender.isReal ? 'Pay' : 'Pay and read mails'
  const lines = [
    `The ${sale.project.name} presale is open at ${settings.publicUrl}`,
    `Version: ${version}`,
    `Database: ${database}`,
    ...(settings.isSandbox
      ? [`Sandbox: nothing is paid for real. ${toDo} at ${settings.publicUrl}/sandbox`]
      : []),
    ...keys.map(
      ({ name, fingerprint, firstAddress }) =>
        `${name}: fingerprint ${fingerprint}. Your wallet shows ${firstAddress} as its first address`,
    ),
    ...(hasWeb
      ? []
      : ['The web app is not built, so only the API is served. Build it with npm run build']),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function stopOnSignals(): void {
  let signalledAt: number | null = null
  const stop = () => {
    if (signalledAt !== null) {
      // A further signal ends the process at once.
      if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    signalledAt = performance.now()
    setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref()
    void closeAll().then(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (fault) {
      const what = fault instanceof Error ? fault.message : String(fault)
      process.stderr.write(`Something did not close cleanly: ${what}\n`)
    }
  }
}
