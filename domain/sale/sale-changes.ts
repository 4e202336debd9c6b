import { describeSale, nameOfPaymentToken, NOTHING, type SaleDescription } from './describe-sale.ts'
import { formatDecimal } from '#domain/money.ts'
import type { PaymentToken, Sale, Stage, StageProgress } from './sale.ts'

/** What has come of a sale so far: all that a changed sale file must not undo. */
export type SaleHistory = {
  /** By stage id. */
  progress: ReadonlyMap<string, StageProgress>
  /** The stages that any purchase or reward was made in, whatever became of it. */
  stageIds: ReadonlySet<string>
  /** The payment tokens that any purchase was to be paid in. */
  paymentTokenIds: ReadonlySet<string>
}

/** A part of a sale file that contradicts what has happened: where, and what was expected there. */
export type HistoryFault = { path: string; message: string }

export type SalePlan =
  /** One line for each change, in plain English; none where nothing changes. */
  { ok: true; changes: readonly string[] } | { ok: false; faults: readonly HistoryFault[] }

/**
 * Compares a sale with the one applied before it (null at the first time). Refuses what would
 * rewrite history: what buyers have paid for stays as it was when they did.
 */
export function planSale(
  previous: SaleDescription | null,
  next: Sale,
  history: SaleHistory,
): SalePlan {
  const described = describeSale(next)
  if (previous === null) return { ok: true, changes: [firstChange(next)] }
  const faults = [
    ...projectFaults(previous, described, history),
    ...paymentTokenFaults(previous, next, described, history),
    ...stageFaults(previous, next, described, history),
  ]
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, changes: changesBetween(previous, described) }
}

function firstChange({ project, stages, paymentTokens }: Sale): string {
  const counts = `stages: ${stages.length}, payment tokens: ${paymentTokens.length}`
  return `the sale of ${project.name} (${project.symbol}) begins (${counts})`
}

/* ---- What may not change ---- */

/** Reports each of the fields whose text differs. */
function keep(
  previous: SaleDescription,
  described: SaleDescription,
  part: string,
  fields: readonly string[],
  { path, since }: { path: string; since: string },
): HistoryFault[] {
  const [before, after] = [previous[part] ?? {}, described[part] ?? {}]
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      path: `${path}.${field}`,
      message: `expected ${before[field]}, since ${since}, found ${after[field]}`,
    }))
}

function projectFaults(
  previous: SaleDescription,
  described: SaleDescription,
  history: SaleHistory,
): HistoryFault[] {
  if (history.stageIds.size === 0) return []
  const since = 'tokens were bought'
  return keep(previous, described, 'project', ['symbol', 'decimals'], { path: 'project', since })
}

/** What makes a payment token the one that it is. */
const PAYMENT_TOKEN_IDENTITY = ['chain', 'decimals', 'chain_id', 'contract']

function paymentTokenFaults(
  previous: SaleDescription,
  next: Sale,
  described: SaleDescription,
  history: SaleHistory,
): HistoryFault[] {
  return [...history.paymentTokenIds].flatMap((id) => {
    const index = next.paymentTokens.findIndex((token) => token.id === id)
    const token = next.paymentTokens[index]
    const since = `purchases were made in ${id}`
    if (token === undefined) {
      return { path: 'payment_tokens', message: `expected ${id}, since ${since}, found it gone` }
    }
    const path = `payment_tokens[${index}]`
    const part = nameOfPaymentToken(id)
    return [
      ...keep(previous, described, part, PAYMENT_TOKEN_IDENTITY, { path, since }),
      ...railFault(previous[part]?.['payment_provider_ids'], token, path),
    ]
  })
}

/** Coins of the sandbox are worth nothing: they must not have bought tokens of a real sale. */
function railFault(before: string | undefined, token: PaymentToken, path: string): HistoryFault[] {
  const wasSandbox = before?.startsWith('sandbox:') ?? false
  if (wasSandbox === (token.rail === 'sandbox')) return []
  const expected = wasSandbox ? 'the rail sandbox' : 'a rail other than sandbox'
  const message =
    `expected ${expected}, since purchases were made in ${token.id} (start a real sale with an ` +
    `empty database), found ${token.rail}`
  return [{ path: `${path}.payment_provider_ids`, message }]
}

function stageFaults(
  previous: SaleDescription,
  next: Sale,
  described: SaleDescription,
  history: SaleHistory,
): HistoryFault[] {
  const gone = [...history.stageIds].filter((id) => !next.stages.some((stage) => stage.id === id))
  const goneFaults = gone.map((id) => ({
    path: 'stages',
    message: `expected ${id}, since tokens of it were bought, found it gone`,
  }))
  const changed = next.stages.flatMap((stage, index) => {
    const progress = history.progress.get(stage.id)
    const taken = progress === undefined ? 0n : progress.sold + progress.reserved
    if (taken === 0n) return []
    const path = `stages[${index}]`
    const since = 'tokens of this stage were sold'
    return [
      ...keep(previous, described, stage.id, pricesOf(stage), { path, since }),
      ...supplyFault(stage, taken, path),
    ]
  })
  return [...goneFaults, ...changed]
}

/** A fixed stage has no final price in its file. */
function pricesOf(stage: Stage): readonly string[] {
  return stage.type === 'fixed'
    ? ['type', 'token_price']
    : ['type', 'token_price', 'final_token_price']
}

function supplyFault(stage: Stage, taken: bigint, path: string): HistoryFault[] {
  if (stage.supply >= taken) return []
  const least = formatDecimal(taken, stage.tokenDecimals)
  const found = formatDecimal(stage.supply, stage.tokenDecimals)
  const message = `expected at least ${least}, which are sold or reserved, found ${found}`
  return [{ path: `${path}.total_tokens`, message }]
}

/* ---- What changes ---- */

const TEXT_LENGTH_MAX = 80

function changesBetween(previous: SaleDescription, next: SaleDescription): string[] {
  const parts = [...new Set([...Object.keys(next), ...Object.keys(previous)])]
  return parts.flatMap((part) => {
    const [before, after] = [previous[part], next[part]]
    if (before === undefined) return [`${labelOf(part, after)}: added`]
    if (after === undefined) return [`${labelOf(part, before)}: removed`]
    return (
      Object.keys(after)
        // A field that an older server did not know is one that its sale file left out.
        .filter((field) => (before[field] ?? NOTHING) !== after[field])
        .map((field) => {
          const change = `${shorten(before[field])} → ${shorten(after[field])}`
          return `${labelOf(part, after)}: ${field} ${change}`
        })
    )
  })
}

function labelOf(part: string, fields: Readonly<Record<string, string>> | undefined): string {
  const name = fields?.['name']
  return part.startsWith('stage-') && name !== undefined ? `${part} "${name}"` : part
}

function shorten(text = NOTHING): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
}
