import type { Undecided, UndecidedKind } from '#domain/delivery/undecided.ts'
import { purchaseNumbers } from '#domain/settlement/purchase-number.ts'
import { saleStatus } from '#domain/sale/stage.ts'
import { type CountedKind, countUndecidedRows } from '#server/database/delivery/undecided.ts'
import { countUnreversed } from '#server/database/purchases/reversals.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { findReport, readPause } from '#server/database/sale/sale-pause.ts'
import { findClosedAt, sumRaised } from '#server/database/sale/soft-cap.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { listChains } from '#server/use-cases/operations/list-chains.ts'
import { usdText } from '#server/use-cases/sale/amount-texts.ts'

/** If a chain was last read longer ago than this, a payment or a reorganisation may be unknown. */
const SILENT_MAX_MS = 60 * 60_000

type Given = Services

/**
 * What can still change who owns how many tokens; empty if the books can be closed. Once they are
 * closed, the sale is over and paused for that reason, so these two are not asked again.
 */
export async function listUndecided(
  services: Given,
  database: Database,
  { isFrozen }: { isFrozen: boolean },
): Promise<Undecided[]> {
  const others = [
    ...(isFrozen ? [] : await listOfSale(services, database)),
    ...(await listOfBooks(database)),
    ...(await listSilentChains(services, database)),
  ]
  // Last: what is undone, or read of a chain, after the others were asked is then a settlement that
  // is due.
  const found = await countUndecidedRows(database, services.clock.now(), NAMED_MAX)
  return [
    ...others,
    ...countedKinds.flatMap((kind) =>
      undecided(kind, found[kind], (count) => sentences[kind](count, found.confirmingIds)),
    ),
  ]
}

async function listOfSale({ sale, clock }: Given, database: Database): Promise<Undecided[]> {
  const { progress } = await loadMarket(database)
  const { paused } = await readPause(database)
  const isOver = saleStatus(sale, progress, null, clock.now()).status === 'ENDED'
  const raised = await sumRaised(database)
  const isClosed = (await findClosedAt(database)) !== null
  const isBelow = sale.softCap !== null && raised < sale.softCap && !isClosed
  return [
    ...undecided(
      'sale',
      isOver ? 0 : 1,
      () => 'The sale has not ended. Wait until all its stages are over',
    ),
    ...undecided(
      'soft_cap',
      isBelow ? 1 : 0,
      () =>
        `${usdText(raised)} was raised, below the soft cap of ` +
        `${usdText(sale.softCap ?? raised)}. Close the sale, so that everything is owed back`,
    ),
    ...undecided(
      'soft_cap',
      isClosed ? await countUnreversed(database) : 0,
      (count) =>
        `${plural(count, 'purchase', 'purchases')} of the closed sale still ` +
        `${count === 1 ? 'has' : 'have'} to be undone. Wait a minute and try again`,
    ),
    ...undecided(
      'pause',
      // Nothing resumes a closed sale.
      paused !== null && !isClosed ? 1 : 0,
      () => `The sale is paused (${paused?.reason}). Find out why, and resume it`,
    ),
  ]
}

async function listOfBooks(database: Database): Promise<Undecided[]> {
  const [report, { accepted }] = [await findReport(database), await readPause(database)]
  if (report === null)
    return undecided('books', 1, () => 'The books were never checked. Wait a minute')
  const known = new Set(accepted.map(({ check, subject }) => `${check} ${subject}`))
  const faults = [
    ...report.breaches.filter(({ check, subject }) => !known.has(`${check} ${subject}`)),
    ...report.notRun,
  ]
  return undecided(
    'books',
    faults.length,
    () => `The books do not agree, or were not fully checked: ${faults[0]?.fault ?? ''}`,
  )
}

async function listSilentChains(services: Given, database: Database): Promise<Undecided[]> {
  const chains = await listChains({ ...services, database }, await loadMarket(database))
  const now = services.clock.now().getTime()
  const silent = chains.filter(
    ({ fault, readThrough }) =>
      fault !== null || (readThrough !== null && now - readThrough.getTime() > SILENT_MAX_MS),
  )
  const names = silent.map(({ name }) => name).join(', ')
  return undecided(
    'chain',
    silent.length,
    () => `${names} cannot be read up to now. Repair the nodes: a payment may be missing`,
  )
}

function undecided(
  kind: UndecidedKind,
  count: number,
  sentence: (count: number) => string,
): Undecided[] {
  return count === 0 ? [] : [{ kind, count, sentence: sentence(count) }]
}

const plural = (count: number, one: string, many: string) =>
  count === 1 ? `One ${one}` : `${count} ${many}`

/** A sentence names this many purchases. */
const NAMED_MAX = 5

const sentences: Record<CountedKind, (count: number, confirmingIds: string[]) => string> = {
  settlement: (count) =>
    `${plural(count, 'purchase has', 'purchases have')} changes that are not settled yet. Wait ` +
    'a minute',
  unpaid: (count) =>
    `${plural(count, 'purchase waits', 'purchases wait')} for the payment. Wait until it expires`,
  confirming: (count, ids) =>
    `${plural(count, 'purchase waits', 'purchases wait')} for confirmations: ` +
    `${purchaseNumbers(ids, count)}. Wait for them`,
  held: (count) =>
    `${plural(count, 'purchase is', 'purchases are')} held. Release or fail what is held`,
  withdrawable: (count) =>
    `${plural(count, 'purchase', 'purchases')} can still be withdrawn from. Wait until that time is over`,
  refund_claim: (count) =>
    `${plural(count, 'claim that', 'claims that')} can still change who owns tokens ` +
    `${count === 1 ? 'is' : 'are'} not paid yet. Pay or reject what is claimed`,
  refund_mark: (count) =>
    `${plural(count, 'refund that was', 'refunds that were')} marked as paid ` +
    `${count === 1 ? 'waits' : 'wait'} for a second person: refused, the money may buy tokens. ` +
    'Have that approved or refused',
}

const countedKinds = Object.keys(sentences) as readonly CountedKind[]
