import { accessSync, constants, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { parseDecimal, PERCENTAGE_DECIMALS } from '#domain/money.ts'
import { isSandboxSale, type Sale } from '#domain/sale/sale.ts'
import { type LogLevel, logLevels } from '#server/runtime/log.ts'
import { listMissingForRails, type RailSettings, readRailSettings } from './rail-settings.ts'
import { isPrivate } from '#server/payments/chains/nodes/node-urls.ts'
import {
  Fault,
  parseWhole,
  readVariables,
  secret,
  type Variables,
} from '#server/payments/variables.ts'
import { type FeedName, feedNames } from '#server/prices/feeds.ts'
import type { OwnFeedSettings } from '#server/prices/own-feed.ts'
import { listUnpriced, type PriceFeedSettings } from '#server/prices/price-feeds.ts'
import type { Secret } from '#server/ports/runtime.ts'

/** The settings from the environment, checked and with every default filled in. */
export type Config = Readonly<{
  http: Readonly<{
    port: number
    host: string
    /** Where people reach the server, without a slash at the end; null: `http://localhost:PORT`. */
    publicUrl: string | null
    trustedProxies: number
    connectionsMax: number
  }>
  database:
    | Readonly<{ kind: 'embedded'; folder: string }>
    | Readonly<{ kind: 'postgres'; url: Secret }>
  mail: Readonly<{ kind: 'sandbox' }> | Readonly<{ kind: 'smtp'; url: Secret }>
  dataFolder: string
  saleFile: string
  /** Null: generated once and kept in the data folder. */
  secretKey: Secret | null
  /** Null: derived from the secret key. */
  operatorToken: Secret | null
  /** Null: metrics are only for the machine itself. */
  metricsToken: Secret | null
  rails: RailSettings
  /** The price feeds of a sale with real payments. */
  prices: PriceFeedSettings
  logLevel: LogLevel
}>

/** Every fault of the configuration, each a sentence that names its variable. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const SECRET_KEY_LENGTH_MIN = 32
const PROXIES_MAX = 10
/** Besides 10,000 open pages, each with a live stream, there is room for their calls. */
const CONNECTIONS_MAX = 20_000
/** A single feed could be wrong or manipulated. */
const FEEDS_MIN = 2
const shippedSaleFile = fileURLToPath(new URL('../../sales/huh.yaml', import.meta.url))

/**
 * The process's environment; a `.env` file supplies what is not set there. Throws
 * {@link ConfigFaults} if it cannot be read.
 */
export function readEnvironment(): Environment {
  try {
    // A link that leads where this user may not go is there as well.
    if (lstatSync('.env', { throwIfNoEntry: false }) === undefined) return process.env
    accessSync('.env', constants.R_OK)
  } catch {
    throw new ConfigFaults([`${resolve('.env')} must be readable by the user that runs this`])
  }
  process.loadEnvFile('.env')
  return process.env
}

/** Throws {@link ConfigFaults} with all faults at once. */
export function parseConfig(environment: Environment): Config {
  const faults: string[] = []
  const variables = readVariables(environment, (fault) => void faults.push(fault))
  const { read } = variables

  const dataFolder = resolve(read('DATA_DIR', './data', String))
  const databaseUrl = read('DATABASE_URL', null, parseUrl('a PostgreSQL', postgresProtocols))
  const smtpUrl = read('SMTP_URL', null, parseSmtpUrl)
  const secretKey = read('SECRET_KEY', null, parseSecretKey)
  if (databaseUrl !== null && !environment['SECRET_KEY']) {
    faults.push(`SECRET_KEY must be set where DATABASE_URL is: ${secretKeyRule}`)
  }
  const config: Config = {
    http: Object.freeze({
      port: read('PORT', 3000, parseWhole(1, 65_535)),
      host: read('HOST', '127.0.0.1', parseHost),
      publicUrl: read('PUBLIC_URL', null, parsePublicUrl),
      trustedProxies: read('TRUSTED_PROXIES', 0, parseWhole(0, PROXIES_MAX)),
      connectionsMax: read('CONNECTIONS_MAX', CONNECTIONS_MAX, parseWhole(100, 1_000_000)),
    }),
    database: Object.freeze(
      databaseUrl === null
        ? { kind: 'embedded', folder: join(dataFolder, 'database') }
        : { kind: 'postgres', url: databaseUrl },
    ),
    mail: Object.freeze(smtpUrl === null ? { kind: 'sandbox' } : { kind: 'smtp', url: smtpUrl }),
    dataFolder,
    saleFile: resolve(read('SALE_FILE', shippedSaleFile, String)),
    secretKey,
    operatorToken: read('OPERATOR_TOKEN', null, parseBearerToken),
    metricsToken: read('METRICS_TOKEN', null, parseBearerToken),
    rails: readRailSettings(variables),
    prices: Object.freeze({
      feeds: read('PRICE_FEEDS', feedNames, parseFeeds),
      feedsMin: read('PRICE_FEEDS_MIN', FEEDS_MIN, parseWhole(FEEDS_MIN, feedNames.length + 1)),
      outlierMillionths: read('PRICE_OUTLIER_PERCENT', 20_000, parseOutlierPercent),
      own: readOwnFeed(variables),
    }),
    logLevel: read('LOG_LEVEL', 'info', parseLogLevel),
  }
  const feedsCount = config.prices.feeds.length + (config.prices.own === null ? 0 : 1)
  if (config.prices.feedsMin > feedsCount) {
    faults.push(
      'PRICE_FEEDS_MIN must be no more than the feeds that PRICE_FEEDS names, and your own',
    )
  }
  if (faults.length > 0) throw new ConfigFaults(faults)
  return Object.freeze(config)
}

/** The settings that a sale needs beyond those of a sandbox; empty if all are there and safe. */
export function listMissingForSale(config: Config, sale: Sale): string[] {
  if (isSandboxSale(sale)) return []
  const because = 'must be set: the sale takes real payments'
  return [
    ...(config.database.kind === 'embedded' ? [`DATABASE_URL ${because}`] : []),
    ...(config.mail.kind === 'sandbox' ? [`SMTP_URL ${because}`] : []),
    ...(config.secretKey === null ? [`SECRET_KEY ${because}`] : []),
    ...(isSafeForBuyers(config.http.publicUrl)
      ? []
      : [
          'PUBLIC_URL must begin with https://, since the sale takes real payments: over http ' +
            'anybody on the way can read passwords, and change the address to pay to',
        ]),
    ...listMissingForRails(config.rails, sale),
    ...listUnpriced(config.prices, sale),
  ]
}

const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]']

/** Null is an address of the machine itself, where nobody is on the way. */
function isSafeForBuyers(publicUrl: string | null): boolean {
  const url = publicUrl === null ? null : new URL(publicUrl)
  return url === null || url.protocol === 'https:' || OWN_MACHINE.includes(url.hostname)
}

/** The address may have a query, but no login: that is what the token is for. */
function readOwnFeed({ read, report }: Variables): OwnFeedSettings | null {
  const url = read('PRICE_FEED_URL', null, parseFeedUrl)
  const token = read('PRICE_FEED_TOKEN', null, parseBearerToken)
  if (url === null && token !== null) report('PRICE_FEED_URL must be set where its token is')
  return url === null ? null : Object.freeze({ url, token })
}

function parseFeedUrl(text: string): string | Fault {
  const url = URL.parse(text)
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivate(url.hostname))
  const isBare = url !== null && url.username === '' && url.hash === ''
  return isSafe && isBare
    ? url.href
    : new Fault('must be an address that begins with https://, without a login')
}

function parseHost(text: string): string | Fault {
  return /^[\w.:-]+$/.test(text) ? text : new Fault('must be a host name or an IP address')
}

function parsePublicUrl(text: string): string | Fault {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
  const isBare = isWeb && `${url.origin}/` === url.href
  return isBare
    ? url.origin
    : new Fault('must be an address such as https://presale.example, without a path')
}

const postgresProtocols = ['postgres:', 'postgresql:']
const smtpProtocols = ['smtp:', 'smtps:']

const parseUrl =
  (kind: string, protocols: readonly string[]) =>
  (text: string): Secret | Fault => {
    const url = URL.canParse(text) ? new URL(text) : null
    const examples = protocols.map((protocol) => `${protocol}//`).join(' or ')
    // In a password these would end the host, and messages would show what follows.
    if (/:\/\/.*[/?#].*@/.test(text)) {
      return new Fault('must have its password percent-encoded: / as %2F, @ as %40, # as %23')
    }
    return url !== null && protocols.includes(url.protocol)
      ? secret(text)
      : new Fault(`must be ${kind} address that starts with ${examples}`)
  }

/** A database may be reached through a socket, but a mail server has a host. */
function parseSmtpUrl(text: string): Secret | Fault {
  const parsed = parseUrl('an SMTP', smtpProtocols)(text)
  if (parsed instanceof Fault || URL.parse(text)?.hostname) return parsed
  return new Fault('must name the host of a mail server, such as smtp://mail.example:587')
}

const secretKeyRule =
  `at least ${SECRET_KEY_LENGTH_MIN} characters that nobody can guess, such as what this prints: ` +
  'openssl rand -base64 48'

function parseSecretKey(text: string): Secret | Fault {
  const isRight = text.length >= SECRET_KEY_LENGTH_MIN && !isGuessable(text)
  return isRight ? secret(text) : new Fault(`must be ${secretKeyRule}`)
}

/** Of 32 random characters, even hexadecimal ones, fewer are different once in 30 million times. */
const DIFFERENT_MIN = 8

/** Few different characters, or the same ones over and over: what people type, never chance. */
function isGuessable(text: string): boolean {
  const lengths = Array.from({ length: Math.floor(text.length / 2) }, (_, index) => index + 1)
  const isRepeated = lengths.some((length) => text.startsWith(text.slice(length)))
  return isRepeated || new Set(text).size < DIFFERENT_MIN
}

/** Only characters that an `Authorization` header can carry. */
function parseBearerToken(text: string): Secret | Fault {
  return /^[\w-]{32,200}$/.test(text) && !isGuessable(text)
    ? secret(text)
    : new Fault(
        'must be 32 to 200 letters, digits, hyphens or underscores that nobody can guess, such as ' +
          'what this prints: openssl rand -hex 32',
      )
}

function parseFeeds(text: string): readonly FeedName[] | Fault {
  const words = new Set(text.split(/[\s,]+/).filter((word) => word !== ''))
  const feeds = feedNames.filter((name) => words.has(name))
  return feeds.length === words.size && feeds.length >= FEEDS_MIN
    ? feeds
    : new Fault(`must be ${FEEDS_MIN} or more of ${feedNames.join(', ')}, with spaces between`)
}

/** In millionths: 2 percent are 20,000. */
function parseOutlierPercent(text: string): number | Fault {
  const units = parseDecimal(text, PERCENTAGE_DECIMALS)
  const isRight = units !== null && units > 0n && units <= 200_000n
  return isRight ? Number(units) : new Fault('must be a number above 0 and up to 20')
}

function parseLogLevel(text: string): LogLevel | Fault {
  const level = logLevels.find((known) => known === text)
  return level ?? new Fault(`must be one of ${logLevels.join(', ')}`)
}
