import type { BookedPurchase, Booking, RequotablePurchase } from '#domain/sale/booking.ts'
import { invariant } from '#domain/invariant.ts'
import { namedStatementsOf } from '#server/database/connection/named-statements.ts'
import { createPurchases } from '#server/database/purchases/create-purchases.ts'
import type { OpenDatabase } from '#server/database/connection/open-database.ts'
import { createBatcher } from './batcher.ts'
import type { MarketReader } from '#server/ports/runtime.ts'
import type { Services } from '#server/services.ts'

const BATCH_MAX = 128
/** About a second's work: beyond that, a retry is answered sooner than a wait. */
const WAITING_MAX = 5_000

type Open = Pick<OpenDatabase, 'runNamed' | 'database'>
type Batch = readonly RequotablePurchase[]

/**
 * Books purchases in batches (see the decision record). Each stage has a batcher of its own, so
 * that a failure in one stage does not affect another.
 */
export function createBooking(
  open: Open,
  market: Pick<MarketReader, 'expectBooking'>,
): Services['bookPurchase'] {
  const stages = new Map<string, Services['bookPurchase']>()
  const batcherOf = (stageId: string) => {
    const known = stages.get(stageId)
    if (known !== undefined) return known
    const book = createStageBooking(open, stageId)
    const batcher = createBatcher<RequotablePurchase, BookedPurchase>({
      batchMax: BATCH_MAX,
      waitingMax: WAITING_MAX,
      // The statement checks each user's limits against one purchase per batch.
      keyOf: (request) => request.userId,
      run: (batch) => bookAndFollow(book, market, stageId, batch),
      isFaultOfOne: isDataFault,
    })
    stages.set(stageId, batcher)
    return batcher
  }
  return (request) => batcherOf(request.terms.stageId)(request)
}

/** The buyer's next call sees the booking. */
async function bookAndFollow(
  book: (batch: Batch) => Promise<BookedPurchase[]>,
  market: Pick<MarketReader, 'expectBooking'>,
  stageId: string,
  batch: Batch,
): Promise<BookedPurchase[]> {
  const end = market.expectBooking(
    stageId,
    batch.map(({ id }) => id),
  )
  try {
    const bookings = await book(batch)
    // A refusal may be due to something that has changed since the market was read.
    const areAllMade = bookings.every(({ outcome }) => outcome === 'created')
    end(areAllMade ? (bookings[0]?.progress ?? null) : null)
    return bookings
  } catch (cause) {
    end(null)
    throw cause
  }
}

/**
 * Books a batch in one statement. If the stage's price has moved since any purchase in it was
 * quoted, nothing is booked; then the batch is quoted again and booked in one transaction, which
 * holds the stage's lock from the first look at the price. The next batch is booked in the same
 * way, since settled payments move the price many times in a row.
 */
function createStageBooking(open: Open, stageId: string) {
  let isMoving = false
  return async (batch: Batch): Promise<BookedPurchase[]> => {
    if (!isMoving) {
      const bookings = await createPurchases(open, stageId, batch)
      isMoving = hasMoved(bookings, batch)
      if (!isMoving) return asQuoted(bookings, batch)
    }
    return await open.database.transaction().execute(async (transaction) => {
      const statements = namedStatementsOf(transaction)
      const bookings = await createPurchases(statements, stageId, batch)
      isMoving = hasMoved(bookings, batch)
      if (!isMoving) return asQuoted(bookings, batch)
      const requoted = batch.map(quoteAgain(bookings))
      const booked = requoted.filter((request) => request !== null)
      const again = asQuoted(
        booked.length === 0 ? [] : await createPurchases(statements, stageId, booked),
        booked,
      ).values()
      return asQuoted(bookings, batch).map((moved, place) =>
        requoted[place] === null ? moved : nextOf(again),
      )
    })
  }
}

/** Then nothing was booked. */
function hasMoved(bookings: readonly Booking[], batch: Batch): boolean {
  return (
    bookings.every(({ outcome }) => outcome === 'market_moved') &&
    bookings.some(({ tokenPrice }, place) => tokenPrice !== batch[place]?.terms.tokenPrice)
  )
}

/** Null if it cannot be quoted at the progress that the stage's lock has shown. */
const quoteAgain =
  (bookings: readonly Booking[]) =>
  (request: RequotablePurchase, place: number): RequotablePurchase | null => {
    const { progress, tokenPrice } = bookings[place] ?? {}
    if (progress === undefined || request.terms.tokenPrice === tokenPrice) return request
    const quoted = request.quoteAt?.(progress) ?? null
    return quoted?.terms.tokenPrice === tokenPrice ? { ...request, ...quoted } : null
  }

function asQuoted(bookings: readonly Booking[], batch: Batch): BookedPurchase[] {
  return bookings.map((booking, place) => {
    const request = batch[place]
    invariant(request !== undefined, 'A batch has one booking for each request.')
    return { ...booking, quoted: { terms: request.terms, firstTerms: request.firstTerms } }
  })
}

function nextOf(bookings: Iterator<BookedPurchase>): BookedPurchase {
  const { value, done } = bookings.next()
  invariant(done !== true, 'Each request that is quoted again is decided.')
  return value
}

/** PostgreSQL's classes 22 (data exception) and 23 (integrity constraint violation). */
function isDataFault(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^2[23]/.test(String(cause.code))
}
