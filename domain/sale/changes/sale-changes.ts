import { describeSale, nameOfPaymentToken, NOTHING, type SaleDescription } from './describe-sale.ts'
import {
  add,
  formatDecimal,
  parseDecimal,
  type Price,
  PRICE_DECIMALS,
  type TokenAmount,
  type Usd,
  USD_DECIMALS,
  usdForUnits,
} from '#domain/money.ts'
import { type HistoryFault, releaseFaults } from './promised-releases.ts'
import { gatewayCoinName } from '#domain/sale/gateway-coin-name.ts'
import {
  gatewayNames,
  isSandboxSale,
  type PaymentToken,
  type Sale,
  type Stage,
  type StageProgress,
} from '#domain/sale/sale.ts'
import { stagePrice } from '#domain/sale/stage.ts'

/** What has happened in a sale so far: everything that a changed sale file must not undo. */
export type SaleHistory = {
  /** By stage id. */
  progress: ReadonlyMap<string, StageProgress>
  /** The stages that any purchase, reward or late payment took tokens of, whatever became of it. */
  stageIds: ReadonlySet<string>
  /** The payment tokens in which any purchase was to be paid, or any payment came. */
  paymentTokenIds: ReadonlySet<string>
  /** Whether any buyer has named a receiving wallet. */
  hasWallets: boolean
  /**
   * Whether buyers have received tokens, or can claim them, by a list whose tool releases them by
   * the schedule it was given.
   */
  hasStreams: boolean
  /** Whether each stage of the applied sale has reached its end or was sold out. */
  hasEnded: boolean
}

/** One thing that a sale file changes: a field, or a whole part that is added or removed. */
export type SaleChange = {
  /** As a sale's description names it: `sale`, `stage-2`, `payment token eth`. */
  part: string
  /** The same for a reader: `stage-2 "Early birds"`. */
  label: string
  /** Null if the whole part is added or removed. */
  field: string | null
  /** Null if it was not there before. */
  before: string | null
  /** Null if it is not there any more. */
  after: string | null
  concerns: SaleConcern
}

/**
 * What a change is about: `money` may change what buyers pay, what they get, or what is sold;
 * `links` may send them to another place, or their questions to somebody else; `words` do neither.
 */
export type SaleConcern = 'money' | 'links' | 'words'

export type SalePlan =
  /** Empty if nothing changes. */
  { ok: true; changes: readonly SaleChange[] } | { ok: false; faults: readonly HistoryFault[] }

/**
 * Compares a sale with the one applied before it (null the first time). Refuses what would rewrite
 * history: whatever buyers have paid for stays as it was when they did.
 */
export function planSale(
  previous: SaleDescription | null,
  next: Sale,
  history: SaleHistory,
): SalePlan {
  const described = describeSale(next)
  if (previous === null) {
    const faults = softCapFaults({}, next, described, history)
    return faults.length > 0 ? { ok: false, faults } : { ok: true, changes: [firstChange(next)] }
  }
  const kind = kindFaults(previous, next)
  if (kind.length > 0) return { ok: false, faults: kind }
  const faults = [
    ...projectFaults(previous, described, history),
    ...softCapFaults(previous, next, described, history),
    ...paymentTokenFaults(previous, next, described, history),
    ...stageFaults(previous, next, described, history),
    ...releaseFaults(previous, next, history),
    ...deliveryFaults(previous, described, history),
  ]
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, changes: changesBetween(previous, described) }
}

/** What a sale changes in the one applied before it, whether or not that is allowed. */
export function changesOf(previous: SaleDescription, next: Sale): SaleChange[] {
  return changesBetween(previous, describeSale(next))
}

/** Where other amounts of tokens move the price of stages that were sold from. */
export function priceMoves(
  next: Sale,
  counters: ReadonlyMap<string, { sold: TokenAmount; tokenPrice: Price }>,
): SaleChange[] {
  return next.stages.flatMap((stage): SaleChange[] => {
    const counter = counters.get(stage.id)
    if (counter === undefined || counter.sold === 0n) return []
    const price = stagePrice(stage, counter.sold)
    if (price === counter.tokenPrice) return []
    const before = formatDecimal(counter.tokenPrice, PRICE_DECIMALS)
    const after = formatDecimal(price, PRICE_DECIMALS)
    const label = labelOf(stage.id, { name: stage.name })
    return [{ part: stage.id, label, field: 'price now', before, after, concerns: 'money' }]
  })
}

function firstChange({ project, stages, paymentTokens }: Sale): SaleChange {
  const counts = `stages: ${stages.length}, payment tokens: ${paymentTokens.length}`
  return {
    part: 'sale',
    label: `the sale of ${project.name} (${project.symbol}) begins (${counts})`,
    field: null,
    before: null,
    after: null,
    concerns: 'money',
  }
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

/** The accounts and coins of a sandbox are play, so this holds before anything is bought too. */
function kindFaults(previous: SaleDescription, next: Sale): HistoryFault[] {
  const isSandbox = isSandboxSale(next)
  const wasSandbox = Object.entries(previous)
    .filter(([part]) => part.startsWith(nameOfPaymentToken('')))
    .every(([, { payment_provider_ids: rails }]) => rails?.startsWith('sandbox: '))
  if (wasSandbox === isSandbox) return []
  const message = wasSandbox
    ? 'expected the rail sandbox, since this database has a sandbox (start a real sale with an ' +
      'empty database: another DATABASE_URL or DATA_DIR), found rails of real payments'
    : 'expected rails of real payments, since this database has a sale with them (SALE_FILE names ' +
      'its file; start a sandbox with a database of its own: another DATABASE_URL or DATA_DIR), ' +
      'found the rail sandbox'
  return [{ path: 'payment_tokens', message }]
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

/**
 * Buyers may be given their money back below this sum, so nobody chooses it once it is known what
 * was raised.
 */
function softCapFaults(
  previous: SaleDescription,
  next: Sale,
  described: SaleDescription,
  history: SaleHistory,
): HistoryFault[] {
  const before = previous['sale']?.['soft_cap_usd'] ?? NOTHING
  const after = described['sale']?.['soft_cap_usd'] ?? NOTHING
  if (before === after) return []
  const most = mostRaised(next.stages)
  if (next.softCap !== null && next.softCap > most) {
    const expected = `at most $${formatDecimal(most, USD_DECIMALS)}, what all stages together raise`
    return [{ path: 'soft_cap_usd', message: `expected ${expected}, found ${after}` }]
  }
  if (history.paymentTokenIds.size === 0) return []
  const promised = parseDecimal(before.slice(1), USD_DECIMALS) ?? 0n
  const isKept = before === NOTHING || (next.softCap !== null && next.softCap >= promised)
  if (isKept && !history.hasEnded) return []
  const expected = history.hasEnded
    ? `${before}, since every stage has ended or was sold out`
    : `${before} or more, since purchases were made`
  return [{ path: 'soft_cap_usd', message: `expected ${expected}, found ${after}` }]
}

/** Where everything is sold at each stage's closing price. */
function mostRaised(stages: readonly Stage[]): Usd {
  return add(
    ...stages.map(({ supply, finalTokenPrice, tokenDecimals }) =>
      usdForUnits(supply, finalTokenPrice, tokenDecimals, 'up'),
    ),
  )
}

/** Wallets were named for one chain: a contract wallet may not exist on another one. */
function deliveryFaults(
  previous: SaleDescription,
  described: SaleDescription,
  { hasWallets }: SaleHistory,
): HistoryFault[] {
  const [before, after] = [previous['sale'] ?? {}, described['sale'] ?? {}]
  const path = ['delivery.chain', 'delivery.chain_id'].find((each) => before[each] !== after[each])
  if (!hasWallets || path === undefined) return []
  const since = 'buyers have set wallets of that chain'
  return [{ path, message: `expected ${before[path]}, since ${since}, found ${after[path]}` }]
}

/** The fields that identify a payment token. */
const PAYMENT_TOKEN_IDENTITY = ['chain', 'network', 'decimals', 'chain_id', 'contract']

function paymentTokenFaults(
  previous: SaleDescription,
  next: Sale,
  described: SaleDescription,
  history: SaleHistory,
): HistoryFault[] {
  return [...history.paymentTokenIds].flatMap((id) => {
    const index = next.paymentTokens.findIndex((token) => token.id === id)
    const token = next.paymentTokens[index]
    const since = `${id} was used for payments`
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

/**
 * What comes to an address is found by the rail that gave it and by no other, and a gateway names
 * its coin by the code it was asked for.
 */
function railFault(before: string | undefined, token: PaymentToken, path: string): HistoryFault[] {
  const [rail = token.rail, code = token.providerIds[rail] ?? ''] = before?.split(/: |, /) ?? []
  const advice = 'set enabled to false there, and add another payment token'
  const since = `since ${token.id} was used for payments (${advice})`
  const fault = (expected: string, found: string) => [
    {
      path: `${path}.payment_provider_ids`,
      message: `expected ${expected}, ${since}, found ${found}`,
    },
  ]
  if (rail !== token.rail) return fault(`the rail ${rail}`, token.rail)
  const gateway = gatewayNames.find((name) => name === rail)
  const found = token.providerIds[rail] ?? ''
  if (gateway === undefined || gatewayCoinName(gateway, code) === gatewayCoinName(gateway, found)) {
    return []
  }
  return fault(`the coin ${code}`, found)
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

/** One line in plain English, such as `stage-1 "First": total_tokens 100 → 200`. */
export function changeText({ label, field, before, after }: SaleChange): string {
  if (field !== null) return `${label}: ${field} ${shorten(before)} → ${shorten(after)}`
  if (before === null && after === null) return label
  return `${label}: ${before === null ? 'added' : 'removed'}`
}

function changesBetween(previous: SaleDescription, next: SaleDescription): SaleChange[] {
  const parts = [...new Set([...Object.keys(next), ...Object.keys(previous)])]
  return parts.flatMap((part): SaleChange[] => {
    const [before, after] = [previous[part], next[part]]
    const label = labelOf(part, after ?? before)
    if (before === undefined || after === undefined) {
      const whole = { before: wholeText(before), after: wholeText(after) }
      const link = after?.['link_url']
      return [{ part, label, field: null, ...whole, concerns: concernOf(part, null, link) }]
    }
    return (
      Object.keys(after)
        // A field unknown to an older server is one that its sale file left out.
        .filter((field) => (before[field] ?? NOTHING) !== after[field])
        .map((field) => ({
          part,
          label,
          field,
          before: before[field] ?? NOTHING,
          after: after[field] ?? NOTHING,
          concerns: concernOf(part, field, after[field]),
        }))
    )
  })
}

/** The fields of an added or removed part, without empty ones. */
function wholeText(fields: Readonly<Record<string, string>> | undefined): string | null {
  if (fields === undefined) return null
  return Object.entries(fields)
    .filter(([, text]) => text !== NOTHING)
    .map(([field, text]) => `${field} ${shorten(text)}`)
    .join(', ')
}

/** In the project, what says which token is sold, and what buyers follow or write to. */
const MONEY_OF_PROJECT: readonly (string | null)[] = ['symbol', 'decimals', 'contract']
const LINKS_OF_PROJECT: readonly (string | null)[] = ['main_site_url', 'contact_email', 'papers']
/** The parts of the sale as a whole that are not about money. */
const WORDS_OF_SALE = ['promotions', 'banners', 'translations', 'require_verified_email']

/** Anything unknown counts as money: that asks for one look too many, never too few. */
function concernOf(part: string, field: string | null, after: string | undefined): SaleConcern {
  // A promotion leads to a page of the sale itself.
  if (part.startsWith('promotion ')) return 'words'
  if (part.startsWith('banner ')) {
    const isLink = field === null || field === 'link_url'
    return isLink && leadsAway(after ?? NOTHING) ? 'links' : 'words'
  }
  if (part === 'project') {
    if (MONEY_OF_PROJECT.includes(field)) return 'money'
    const isLink = field?.startsWith('links.') || LINKS_OF_PROJECT.includes(field)
    return isLink ? 'links' : 'words'
  }
  if (part === 'sale') return field !== null && WORDS_OF_SALE.includes(field) ? 'words' : 'money'
  return field === 'name' ? 'words' : 'money'
}

/** A link that is a path leads to a page of the sale itself. */
function leadsAway(link: string): boolean {
  return link !== NOTHING && !link.startsWith('/')
}

function labelOf(part: string, fields: Readonly<Record<string, string>> | undefined): string {
  const name = fields?.['name']
  return part.startsWith('stage-') && name !== undefined ? `${part} "${name}"` : part
}

function shorten(text: string | null): string {
  const shown = text ?? NOTHING
  return shown.length > TEXT_LENGTH_MAX ? `${shown.slice(0, TEXT_LENGTH_MAX)}…` : shown
}
