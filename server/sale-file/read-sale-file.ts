import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { camelKeys } from '#domain/key-case.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { SaleFileFault, SaleReading } from '#domain/sale/sale-reading.ts'
import { date, parseDuration } from './document/dates.ts'
import { openDocument } from './document/open-document.ts'
import { Place } from './document/place.ts'
import { banners } from './read-banners.ts'
import { paymentTokens } from './tokens/read-payment-tokens.ts'
import { delivery, deliveryFitsContract } from './read-delivery.ts'
import { checkTranslations, translations } from './read-translations.ts'
import { vesting, vestingFitsStages } from './read-vesting.ts'
import { project, TOKEN_DECIMALS_MAX, tokenDecimals } from './read-project.ts'
import { promotions } from './read-promotions.ts'
import {
  accounts,
  approvals,
  boundsFitStages,
  minimumsFitStages,
  purchases,
  USUAL_APPROVALS,
  USUAL_PURCHASES,
  withdrawal,
} from './read-rules.ts'
import { stages } from './read-stages.ts'
import { optional, type Reader, readField, required, section } from './document/readers.ts'
import { someDollars, unitPrice } from './document/values.ts'

const FILE_LENGTH_MAX = 1024 * 1024

/**
 * Reads a sale file (described in `sales/README.md`) and the pictures it names. Durations in it
 * count from `firstAppliedAt`. Reports every fault at once, and never throws.
 */
export function readSaleFile(
  path: string,
  opened: ReturnType<typeof openSaleFile>,
  firstAppliedAt: Date,
): SaleReading {
  if (opened.ok) return readSaleText(opened.text, { folder: dirname(path), firstAppliedAt })
  const message = `expected ${SALE_FILE}, found ${opened.found}`
  return { ok: false, faults: [{ line: 1, column: 1, path: '', message }] }
}

type SaleTextContext = {
  /** Where the pictures are. */
  folder: string
  firstAppliedAt: Date
}

export function readSaleText(text: string, context: SaleTextContext): SaleReading {
  const document = openDocument(text)
  if (document.faults().length > 0) return { ok: false, faults: document.faults() }
  const root = Place.root(document.source)
  const countedDates: string[] = []
  const when = noting(countedDates, date(context.firstAppliedAt))
  const sale = saleReader(root, context.folder, when).read(root)
  const faults = document.faults()
  if (faults.length > 0 || sale === undefined) return { ok: false, faults }
  return { ok: true, sale, countedDates, locate: document.locate }
}

/** Notes the paths of the dates that are durations. */
function noting(paths: string[], when: Reader<Date>): Reader<Date> {
  return {
    expected: when.expected,
    read(place) {
      if (parseDuration(place.text ?? '') !== undefined) paths.push(place.path)
      return when.read(place)
    },
  }
}

/** Some sections depend on values in others, which are looked up first. */
function saleReader(root: Place, folder: string, when: Reader<Date>): Reader<Sale> {
  const decimals = readField(
    root.at('project').at('decimals'),
    optional(tokenDecimals, TOKEN_DECIMALS_MAX),
  )
  const tokenPlaces = root.at('payment_tokens').items() ?? []
  const paymentTokenIds = new Set(tokenPlaces.flatMap((place) => place.at('id').text ?? []))
  return section(
    'a map with project, payment_tokens and stages',
    {
      project: required(project(folder)),
      accounts: optional(accounts, { requireVerifiedEmail: false }),
      purchases: optional(purchases, USUAL_PURCHASES),
      approvals: optional(approvals, USUAL_APPROVALS),
      withdrawal: optional(withdrawal, null),
      soft_cap_usd: optional(someDollars, null),
      final_price: optional(unitPrice, null),
      payment_tokens: required(paymentTokens),
      stages: required(stages({ when, decimals: decimals ?? TOKEN_DECIMALS_MAX, paymentTokenIds })),
      promotions: optional(promotions({ folder, paymentTokenIds }), []),
      banners: optional(banners(when), []),
      vesting: optional(vesting(when), null),
      delivery: optional(delivery(decimals ?? TOKEN_DECIMALS_MAX), null),
      translations: optional(translations, {}),
    },
    {
      check(readings, place) {
        boundsFitStages(readings.purchases, readings.stages, place.at('purchases'))
        minimumsFitStages(readings.payment_tokens, readings.stages, place.at('payment_tokens'))
        vestingFitsStages(readings.vesting, readings.stages, place.at('vesting'))
        deliveryFitsContract(readings.delivery, readings.project, place.at('delivery'))
        checkTranslations(readings, place.at('translations'))
      },
      build: ({ soft_cap_usd: softCap, ...rest }) => ({ ...camelKeys(rest), softCap }),
    },
  )
}

const SALE_FILE = 'a YAML file of at most 1 MiB in UTF-8'

export function openSaleFile(
  path: string,
): { ok: true; text: string } | { ok: false; found: string } {
  try {
    const status = statSync(path)
    if (!status.isFile()) return { ok: false, found: 'something that is no file' }
    if (status.size > FILE_LENGTH_MAX) return { ok: false, found: `one of ${status.size} bytes` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return { ok: true, text }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, found: `one that cannot be read (${why})` }
  }
}

/** Formats the faults for the operator: one line each, `sales/mine.yaml:12:5 path: what`. */
export function formatFaults(file: string, faults: readonly SaleFileFault[]): string {
  const lines = faults.map(({ line, column, path, message }) => {
    const place = `${file}:${line}:${column}`
    return path === '' ? `${place} ${message}` : `${place} ${path}: ${message}`
  })
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  return [`The sale file ${file} has ${count}. Nothing of it was applied.`, ...lines].join('\n')
}
