import { invariant } from '#domain/invariant.ts'
import { price, tokenAmount } from '#domain/money.ts'
import type { Booking, BookingOutcome, PurchaseRequest } from '#domain/sale/booking.ts'
import { shareMinTokens } from '#domain/sale/reservation.ts'
import { availableAccount, reservedAccount } from '#domain/settlement/ledger.ts'
import { newPurchase } from '#domain/settlement/stored-purchase.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { type ArrayItem, arrayText } from '#server/database/tables/array-text.ts'
import { type PurchaseRow, purchaseRow } from './purchase.ts'
import { storeLockedBonuses } from './stored-bonuses.ts'

type OutcomeRow = {
  outcomes: BookingOutcome[]
  purchase_ids: string[]
  firsts: boolean[]
  stage_reserved: bigint
  stage_sold: bigint
  stage_unpaid: bigint
  stage_token_price: bigint
}

/**
 * A purchase as the function receives it: its row, and how it looks if it is the user's first one.
 */
type Element = {
  row: PurchaseRow
  firstReserved: bigint
  /** Their places among the documents of the batch. */
  sources: number
  bonuses: number
  firstBonuses: number
  request: PurchaseRequest
}

/** The function's arguments that have one item for each purchase. */
const arrays: Record<string, (element: Element) => ArrayItem> = {
  ids: ({ row }) => row.id,
  user_ids: ({ row }) => row.user_id,
  idempotency_keys: ({ row }) => row.idempotency_key,
  request_fingerprints: ({ row }) => row.request_fingerprint,
  payment_token_ids: ({ row }) => row.payment_token_id,
  rails: ({ row }) => row.rail,
  chains: ({ row }) => row.chain,
  addresses: ({ row }) => row.address,
  payment_ids: ({ row }) => row.payment_id,
  derivation_indexes: ({ row }) => row.derivation_index,
  usds: ({ row }) => row.usd,
  token_prices: ({ row }) => row.token_price,
  token_decimals: ({ row }) => row.token_decimals,
  crypto_prices: ({ row }) => row.crypto_price,
  price_sources: ({ sources }) => sources,
  crypto_decimals: ({ row }) => row.crypto_decimals,
  crypto_dues: ({ row }) => row.crypto_due,
  reserves: ({ row }) => row.reserved,
  first_reserves: ({ firstReserved }) => firstReserved,
  locked_bonuses: ({ bonuses }) => bonuses,
  first_locked_bonuses: ({ firstBonuses }) => firstBonuses,
  min_usds: ({ row }) => row.min_usd,
  rail_min_usds: ({ row }) => row.rail_min_usd,
  max_usds: ({ row }) => row.max_usd,
  required_confirmations: ({ row }) => row.required_confirmations,
  terms_dates: ({ row }) => row.terms_date,
  withdrawable_untils: ({ row }) => row.withdrawable_until,
  created_ats: ({ row }) => row.created_at,
  expires_ats: ({ row }) => row.expires_at,
  grace_ends_ats: ({ row }) => row.grace_ends_at,
  connection_hashes: ({ row }) => row.connection_hash,
  sale_file_ids: ({ request }) => request.saleFileId,
  open_maxs: ({ request }) => request.bounds.openPerUserMax,
  user_worth_maxs: ({ request }) => request.bounds.worthPerUserMax,
  connection_worth_maxs: ({ request }) => request.bounds.worthPerConnectionMax,
  unpaid_shares: ({ request }) => request.bounds.unpaidShare,
  share_mins: ({ request: { bounds, terms } }) =>
    shareMinTokens(bounds, terms.tokenPrice, terms.tokenDecimals),
}

const shared = ['the_stage', 'available_account', 'reserved_account', 'documents']
const parameters = [...shared, ...Object.keys(arrays)].map((name, at) => `${name} => $${at + 1}`)
const STATEMENT = `select * from create_purchases(${parameters.join(', ')})`

/**
 * Books purchases of one stage, at most one for each user, in one statement. The results are in the
 * order of the requests. The SQL function in the schema locks, checks and inserts.
 */
export async function createPurchases(
  open: Pick<OpenDatabase, 'runNamed'>,
  stageId: string,
  requests: readonly PurchaseRequest[],
): Promise<Booking[]> {
  const documents = collectDocuments()
  const elements = requests.map((request) => toElement(request, documents.placeOf))
  const [result] = await open.runNamed<OutcomeRow>('create_purchases', STATEMENT, [
    stageId,
    availableAccount(stageId),
    reservedAccount(stageId),
    documents.text(),
    ...Object.values(arrays).map((itemOf) => arrayText(elements.map(itemOf))),
  ])
  invariant(result !== undefined, 'create_purchases gives one row.')
  return toBookings(result)
}

function toElement(request: PurchaseRequest, placeOf: (document: unknown) => number): Element {
  const row = purchaseRow(newPurchase(request, false))
  return {
    row,
    firstReserved: request.firstTerms.reserved,
    sources: placeOf(row.price_sources),
    bonuses: placeOf(row.locked_bonuses),
    firstBonuses: placeOf(storeLockedBonuses(request.firstTerms.lockedBonuses)),
    request,
  }
}

/** Collects documents that many purchases share, each once. */
function collectDocuments() {
  const places = new Map<string, number>()
  return {
    placeOf: (document: unknown): number => {
      const text = JSON.stringify(document)
      const place = places.get(text) ?? places.size
      places.set(text, place)
      return place
    },
    text: () => `[${[...places.keys()].join(',')}]`,
  }
}

function toBookings(result: OutcomeRow): Booking[] {
  const progress = {
    reserved: tokenAmount(result.stage_reserved),
    sold: tokenAmount(result.stage_sold),
    unpaid: tokenAmount(result.stage_unpaid),
  }
  const tokenPrice = price(result.stage_token_price)
  return result.outcomes.map((outcome, place) => ({
    outcome,
    purchaseId: result.purchase_ids[place] as string,
    isFirst: result.firsts[place] as boolean,
    progress,
    tokenPrice,
  }))
}
