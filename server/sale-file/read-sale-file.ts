import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSandboxSale, type Sale } from '#domain/sale/sale.ts'
import type { SaleFileFault, SaleReading } from '#domain/sale/sale-reading.ts'
import { date } from './document/dates.ts'
import { openDocument } from './document/open-document.ts'
import { Place } from './document/place.ts'
import { banners } from './read-banners.ts'
import { paymentTokens } from './read-payment-tokens.ts'
import { checkTranslations, translations } from './read-translations.ts'
import { vesting } from './read-vesting.ts'
import { project, TOKEN_DECIMALS_MAX, tokenDecimals } from './read-project.ts'
import { promotions } from './read-promotions.ts'
import { accounts, purchases, USUAL_PURCHASES, boundsFitStages } from './read-rules.ts'
import { stages } from './read-stages.ts'
import { optional, type Reader, readField, required, section } from './document/readers.ts'
import { unitPrice } from './document/values.ts'

const FILE_LENGTH_MAX = 1024 * 1024

/**
 * Reads a sale file (specification of the sale file: `sales/README.md`) and the pictures it names.
 * Durations in it are counted from `firstAppliedAt`. Reports every fault at once; throws nothing.
 */
export function readSaleFile(path: string, firstAppliedAt: Date): SaleReading {
  const opened = readText(path)
  if (opened.ok) return readSaleText(opened.text, { folder: dirname(path), firstAppliedAt })
  const message = `expected ${SALE_FILE}, found ${opened.found}`
  return { ok: false, faults: [{ line: 1, column: 1, path: '', message }] }
}

type SaleTextContext = {
  /** Where the pictures are. */
  folder: string
  firstAppliedAt: Date
}

/** Reads the text of a sale file. */
export function readSaleText(text: string, context: SaleTextContext): SaleReading {
  const document = openDocument(text)
  if (document.faults().length > 0) return { ok: false, faults: document.faults() }
  const root = Place.root(document.source)
  const sale = saleReader(root, context).read(root)
  const faults = document.faults()
  if (faults.length > 0 || sale === undefined) return { ok: false, faults }
  return { ok: true, sale, locate: document.locate }
}

/** Some sections depend on values of others, which are looked up first. */
function saleReader(root: Place, { folder, firstAppliedAt }: SaleTextContext): Reader<Sale> {
  const when = date(firstAppliedAt)
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
      accounts: optional(accounts, { requireVerifiedEmail: null }),
      purchases: optional(purchases, USUAL_PURCHASES),
      final_price: optional(unitPrice, null),
      payment_tokens: required(paymentTokens),
      stages: required(stages({ when, decimals: decimals ?? TOKEN_DECIMALS_MAX, paymentTokenIds })),
      promotions: optional(promotions({ folder, paymentTokenIds }), []),
      banners: optional(banners(when), []),
      vesting: optional(vesting(when), null),
      translations: optional(translations, {}),
    },
    {
      check(readings, place) {
        boundsFitStages(readings.purchases, readings.stages, place.at('purchases'))
        checkTranslations(readings, place.at('translations'))
      },
      build: ({ accounts: { requireVerifiedEmail }, final_price, payment_tokens, ...rest }) => ({
        ...rest,
        // Real payments require verified accounts by default.
        accounts: {
          requireVerifiedEmail:
            requireVerifiedEmail ?? !isSandboxSale({ paymentTokens: payment_tokens }),
        },
        finalPrice: final_price,
        paymentTokens: payment_tokens,
      }),
    },
  )
}

const SALE_FILE = 'a YAML file of at most 1 MiB in UTF-8'

function readText(path: string): { ok: true; text: string } | { ok: false; found: string } {
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
