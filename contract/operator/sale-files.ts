import * as z from 'zod/mini'

import { operatorEndpoint } from '#contract/endpoint.ts'
import { Instant, textUpTo } from '#contract/values.ts'
import { ItemParams, NumberId, operatorAct, operatorRead, pageFrom } from './shapes.ts'

/** Far above the shipped one, which has 30,000 characters. */
export const SALE_TEXT_LENGTH_MAX = 200_000
/** Such a text in JSON. It is no larger, since a body is read before its sender is known. */
const BODY_BYTES_MAX = 512 * 1024

/** The id of a sale file that was applied: 1 for the first. */
const SaleFileId = NumberId('Must be the id of a sale file')

const SaleText = textUpTo(
  SALE_TEXT_LENGTH_MAX,
  'Give the text of a sale file',
  'Must be at most 200,000 characters',
)

const SaleChange = z.object({
  /** Such as `stage-2 "Early birds"` or `payment token eth`. */
  part: z.string(),
  /** As the sale file names it; null if the whole part is added or removed. */
  field: z.nullable(z.string()),
  /** Null if it was not there before; a long text appears as an eight-digit fingerprint. */
  before: z.nullable(z.string()),
  /** Null if it is no longer there. */
  after: z.nullable(z.string()),
  /**
   * `money`: it may change what buyers pay, what they get, or what is sold; `links`: where a link
   * leads, or where buyers write to; `words`: neither.
   */
  concerns: z.enum(['money', 'links', 'words']),
})
export type SaleChange = z.output<typeof SaleChange>

const SaleFileEntry = z.object({
  id: z.string(),
  /** SHA-256 of the text, in hex. */
  hash: z.string(),
  /**
   * `disk`: at startup, from the file on the server's disk; `console`: by a call; `restart`: at
   * startup, because pictures beside an unchanged file had changed.
   */
  source: z.enum(['disk', 'console', 'restart']),
  applied_date: Instant,
  /** Who applied it by a call; null if at startup, or if the call gave no name. */
  applied_by: z.nullable(z.string()),
  changes: z.array(SaleChange),
})
export type SaleFileEntry = z.output<typeof SaleFileEntry>

const SaleFile = z.object({ ...SaleFileEntry.shape, text: z.string() })
export type SaleFile = z.output<typeof SaleFile>

/** The applied sale in words, in the form in which changes are written. */
const SalePart = z.object({
  kind: z.enum(['sale', 'project', 'payment token', 'stage', 'promotion', 'banner']),
  name: z.string(),
  /** What the sale file says about it, without what it leaves out. */
  fields: z.array(z.object({ field: z.string(), value: z.string() })),
})
export type SalePart = z.output<typeof SalePart>

/** What a sale file would do, or why it cannot be applied. */
export const SaleFileCheck = z.object({
  /** SHA-256 of the text, in hex; required to apply it. */
  hash: z.string(),
  /** The sale file that it was compared with; required to apply it. */
  applied_id: z.string(),
  /** In line order; empty if it can be applied. */
  faults: z.array(
    z.object({
      line: z.int(),
      column: z.int(),
      /** Such as `stages[2].token_price`; empty if the fault concerns the whole file. */
      path: z.string(),
      /** `expected …, found …`. */
      message: z.string(),
      /** The line itself. */
      text: z.string(),
    }),
  ),
  /** Empty if nothing changes, or if it cannot be applied. */
  changes: z.array(SaleChange),
  /** What a start with it would warn of, a sentence each; empty if it cannot be applied. */
  warnings: z.array(z.string()),
})
export type SaleFileCheck = z.output<typeof SaleFileCheck>

/** The sale file: which one is applied, and applying another one while the server runs. */
export const saleFilesContract = {
  getSaleFile: operatorRead({
    path: '/operator/sale',
    permission: 'sale.read',
    summary: 'Returns the sale file that is applied, with its text.',
    result: SaleFile,
  }),
  listSaleParts: operatorRead({
    path: '/operator/sale/parts',
    permission: 'sale.read',
    summary:
      'Lists the applied sale part by part: stages with bonuses, tokens, promotions, banners.',
    result: z.object({ data: z.array(SalePart) }),
  }),
  listSaleFiles: operatorRead({
    path: '/operator/sale/history',
    permission: 'sale.read',
    summary: 'Lists every sale file that was applied, newest first, with what it changed.',
    query: z.strictObject(pageFrom(SaleFileId)),
    result: z.object({ data: z.array(SaleFileEntry), after: z.nullable(z.string()) }),
  }),
  getAppliedSaleFile: operatorRead({
    path: '/operator/sale/history/{id}',
    permission: 'sale.read',
    summary: 'Returns a sale file that was applied, with its text.',
    params: ItemParams,
    result: SaleFile,
  }),
  checkSaleFile: operatorEndpoint({
    method: 'POST',
    path: '/operator/sale/check',
    permission: 'sale.apply',
    summary: 'Returns what a sale file would change, or its faults by line. Nothing is applied.',
    body: z.strictObject({ text: SaleText }),
    bodyBytesMax: BODY_BYTES_MAX,
    result: SaleFileCheck,
  }),
  applySaleFile: operatorAct({
    path: '/operator/sale/apply',
    permission: 'sale.apply',
    summary: 'Applies a sale file that was checked, on every instance, without a restart.',
    body: z.strictObject({
      text: SaleText,
      /** From the reply to the check: this text and no other is applied. */
      hash: z.string().check(z.maxLength(100)),
      /** From the reply to the check: this sale file is replaced and no other. */
      applied_id: SaleFileId,
    }),
    bodyBytesMax: BODY_BYTES_MAX,
    mayWait: true,
    result: SaleFile,
    errors: ['SaleFileFaulty', 'SaleFileChanged'],
  }),
}
