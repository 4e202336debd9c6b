import { toolTraits } from '#domain/delivery/tools.ts'
import {
  type InboxKind,
  inboxKindNames,
  inboxKinds,
  type InboxOrder,
} from '#domain/operators/inbox.ts'
import type { Permission } from '#domain/operators/permissions.ts'
import type { CryptoAmount, Usd } from '#domain/money.ts'
import { type Market, paymentTokenOf, type Sale } from '#domain/sale/sale.ts'
import {
  countInboxRows,
  type InboxQuestion,
  type InboxRow,
  isStored,
  listInboxRows,
  type TokenValuation,
} from '#server/database/operators/inbox.ts'
import { type InboxOwner, listInboxOwners } from '#server/database/operators/inbox-owners.ts'
import { listPublished } from '#server/database/delivery/distribution-events.ts'
import {
  type DistributionProgress,
  progressOf,
} from '#server/database/delivery/distribution-progress.ts'
import { countMovementsSince } from '#server/database/delivery/owned-tokens.ts'
import { findLastSnapshot } from '#server/database/delivery/snapshots.ts'
import { loadMarket } from '#server/database/sale/market.ts'
import { findReport, readPause } from '#server/database/sale/sale-pause.ts'
import { findClosedAt } from '#server/database/sale/soft-cap.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { listChains, listDeliveryChains } from '#server/use-cases/operations/list-chains.ts'
import { listFeeds } from './get-overview.ts'

/** One thing that waits for a person. */
export type InboxItem = {
  kind: InboxKind
  id: string
  /** Since when it waits; null if nobody knows, which sorts as the longest. */
  since: Date | null
  purchaseId: string | null
  /** Whose lost mail it is; null for an operator's, and for every other kind. */
  userId: string | null
  /** Of the amount, by its name in the ledger. */
  asset: string | null
  amount: CryptoAmount | null
  /** What is at stake; null if it is not money, or of unknown value. */
  usd: Usd | null
  /** Why it waits, in a word of the system or a sentence, by kind. */
  note: string | null
  /** The permission that its next step requires. */
  permission: Permission
  owner: { id: string; name: string; since: Date } | null
}

export type InboxFilter = {
  order: InboxOrder
  kind: InboxKind | null
  owner: 'mine' | 'nobody' | null
}

/** The longest list: as items are dealt with, the next ones follow. */
const INBOX_LISTED_MAX = 100
/** The highest count for one kind. */
const INBOX_COUNTED_MAX = 1_000

/** How long the guard may be silent before somebody should look. */
const GUARD_SILENT_MAX_MS = 30 * 60_000

/**
 * What waits for a person, as far as the operator may see it, by age or by money; and whatever the
 * filter, how many items of each kind wait, up to a bound, and which has waited longest.
 */
export async function listInbox(
  services: Services,
  { order, kind, owner }: InboxFilter,
  operator: Operator,
) {
  const visible = inboxKindNames.filter((name) =>
    operator.permissions.includes(inboxKinds[name].read),
  )
  // API keys and the server's token own nothing.
  if (owner === 'mine' && operator.kind !== 'person') {
    return { items: [], ...(await countItems(services, visible)) }
  }
  const whose = owner === 'mine' ? { id: operator.id ?? '' } : owner
  const now = services.clock.now()
  const question = { order, owner: whose, itemId: null, countMax: INBOX_LISTED_MAX, now }
  const wanted = visible.filter((name) => kind === null || name === kind)
  const items = await listItems(services, wanted, question)
  const shown = items.toSorted(byOrder(order)).slice(0, INBOX_LISTED_MAX)
  return { items: shown, ...(await countItems(services, visible)) }
}

async function countItems(services: Services, kinds: readonly InboxKind[]) {
  const now = services.clock.now()
  const question = { order: 'oldest', owner: null, itemId: null, countMax: 1, now } as const
  const first = await listItems(services, kinds, question)
  const counts = new Map<InboxKind, number>()
  for (const kind of kinds) {
    const count = isStored(kind)
      ? await countInboxRows(services.database, kind, { countMax: INBOX_COUNTED_MAX, now })
      : first.filter((item) => item.kind === kind).length
    counts.set(kind, count)
  }
  return { counts, oldest: first.toSorted(byOrder('oldest'))[0] ?? null }
}

/** A single item, whoever has taken it; null if it no longer waits. */
export async function findInboxItem(
  services: Services,
  kind: InboxKind,
  id: string,
): Promise<InboxItem | null> {
  const now = services.clock.now()
  const question = { order: 'oldest', owner: null, itemId: id, countMax: 1, now } as const
  return (await listItems(services, [kind], question))[0] ?? null
}

async function listItems(services: Services, kinds: readonly InboxKind[], question: InboxQuestion) {
  const { database, sale } = services
  const market = await loadMarket(database)
  const valuations = listValuations(sale, market)
  const items: InboxItem[] = []
  for (const kind of kinds.filter(isStored)) {
    items.push(...(await listInboxRows(database, kind, valuations, question)).map(itemOf))
  }
  return [...items, ...(await listSeen(services, market, kinds, question))]
}

function itemOf({ ownerId: id, ownerName: name, ownerSince: since, ...row }: InboxRow): InboxItem {
  const isOwned = id !== null && name !== null && since !== null
  return {
    ...row,
    permission: row.permission ?? inboxKinds[row.kind].next,
    owner: isOwned ? { id, name, since } : null,
  }
}

function listValuations(sale: Sale, { prices }: Pick<Market, 'prices'>): TokenValuation[] {
  return sale.paymentTokens.flatMap(({ id }) => {
    const token = paymentTokenOf(sale, id)
    const priced = token && prices.get(token.symbol)
    if (token === undefined || priced === undefined) return []
    return [{ paymentTokenId: id, price: priced.price, decimals: token.decimals }]
  })
}

const UNDELIVERED_MS = 24 * 60 * 60_000

type Seen = Pick<InboxItem, 'kind' | 'id' | 'since' | 'note'> & {
  /** When it last did not wait: whoever took it before that had another one. */
  absentAt: Date | null
}

/**
 * Items that are not rows of a table: how this instance sees chains and prices, and what the guard
 * found.
 */
async function listSeen(
  services: Services,
  market: Market,
  kinds: readonly InboxKind[],
  { owner, itemId }: InboxQuestion,
): Promise<InboxItem[]> {
  const wanted = kinds.filter((kind) => !isStored(kind))
  if (wanted.length === 0) return []
  const { database } = services
  const [owners, paid, delivering, books] = await Promise.all([
    listInboxOwners(database, wanted),
    listChains(services, market),
    listDeliveryChains(services),
    readBooks(services),
  ])
  const now = services.clock.now()
  const feeds = listFeeds(services.sale, market, now)
  const seen: Seen[] = [
    ...[...paid, ...delivering].flatMap(({ name, fault, readThrough, readAgoMs }): Seen[] => {
      if (fault === null) return []
      const absentAt = readAgoMs === null ? null : new Date(now.getTime() - readAgoMs)
      return [{ kind: 'chain', id: name, since: readThrough, note: fault, absentAt }]
    }),
    ...feeds.flatMap(({ symbol, fetchedAt, isFresh }): Seen[] =>
      isFresh
        ? []
        : [{ kind: 'feed', id: symbol, since: fetchedAt, note: null, absentAt: fetchedAt }],
    ),
    ...books,
    ...(wanted.includes('snapshot') ? await readMovements(services) : []),
    ...(wanted.includes('delivery') ? await readUndelivered(services) : []),
  ]
  const ownerOf = new Map<string, InboxOwner>(
    owners.map((each) => [`${each.kind} ${each.item_id}`, each]),
  )
  return seen
    .filter(({ kind, id }) => kinds.includes(kind) && (itemId === null || itemId === id))
    .map(({ absentAt, ...each }): InboxItem => {
      const last = ownerOf.get(`${each.kind} ${each.id}`)
      const by = last && (absentAt === null || last.since >= absentAt) ? last : null
      return {
        ...each,
        purchaseId: null,
        userId: null,
        asset: null,
        amount: null,
        usd: null,
        permission: inboxKinds[each.kind].next,
        owner: by ? { id: by.id, name: by.name, since: by.since } : null,
      }
    })
    .filter((each) => {
      if (owner === null) return true
      return owner === 'nobody' ? each.owner === null : each.owner?.id === owner.id
    })
}

/** Nothing that happens later changes a snapshot: a person decides whether to correct it. */
async function readMovements({ database }: Services): Promise<Seen[]> {
  const last = await findLastSnapshot(database)
  if (last === null) return []
  const { count, firstAt } = await countMovementsSince(database, last.ledger_position)
  if (count === 0) return []
  const times = count === 1 ? 'once' : `${count} times`
  const note = `Tokens of buyers have moved ${times} since snapshot ${last.number}`
  const since = firstAt
  return [{ kind: 'snapshot', id: String(last.number), since, note, absentAt: since }]
}

/**
 * A day after publication, tokens sent by a wallet should all have arrived; a contract from which
 * some was taken back should have enough for all who have not claimed; and no list should pay what
 * a correction has taken.
 */
async function readUndelivered({ database, clock }: Services): Promise<Seen[]> {
  const now = clock.now().getTime()
  const last = await findLastSnapshot(database)
  const seen: Seen[] = []
  for (const list of await listPublished(database)) {
    const { id, tool, snapshot, remaining, published_at: at } = list
    const isDue =
      toolTraits[tool].delivers === 'send' && at !== null && now - at.getTime() >= UNDELIVERED_MS
    // A large list takes a while to add up.
    if (!isDue && remaining === null && snapshot === last?.number) continue
    const notes = undeliveredNotes(id, await progressOf(database, id), isDue)
    if (notes.length === 0) continue
    const note = notes.join('. ')
    seen.push({ kind: 'delivery', id: String(id), since: at, note, absentAt: null })
  }
  return seen
}

function undeliveredNotes(id: bigint, progress: DistributionProgress, isDue: boolean): string[] {
  const { rows, claimed, swept, short, outdated, amountMissing } = progress
  const notes: string[] = []
  if (outdated > 0) {
    notes.push(
      `Of ${outdated} of ${rows} wallets of distribution ${id} the owners have less by the newest ` +
        'snapshot, or another wallet: stop what still goes there',
    )
  }
  // Where nobody can claim any more, all was taken back on purpose.
  if (amountMissing > 0n && claimed + swept < rows) {
    notes.push(`The contract of distribution ${id} has too little left for all who can still claim`)
  }
  const missing = rows - claimed - outdated
  if (isDue && missing > 0) {
    const less = short === 0 ? '' : `, and ${short} of them were sent less`
    notes.push(
      `${missing} of ${rows} wallets of distribution ${id} have not received their tokens${less}`,
    )
  }
  return notes
}

async function readBooks({ database, clock }: Services): Promise<Seen[]> {
  const [pause, report, closedAt, last] = await Promise.all([
    readPause(database),
    findReport(database),
    findClosedAt(database),
    findLastSnapshot(database),
  ])
  // A sale that was closed, or whose books are, is paused for good, so that pause is not an item.
  const { reason = null, since: pausedAt = null } = pause.paused ?? {}
  const paused: Seen[] =
    pausedAt !== null && closedAt === null && last === null
      ? [{ kind: 'pause', id: 'sale', since: pausedAt, note: reason, absentAt: pausedAt }]
      : []
  if (report === null) return paused
  const { checkedAt, breaches, notRun } = report
  const accepted = new Set(pause.accepted.map(({ check, subject }) => `${check} ${subject}`))
  const isSilent = clock.now().getTime() - checkedAt.getTime() > GUARD_SILENT_MAX_MS
  const note = notRun.map(({ check, fault }) => `${check}: ${fault}`).join('. ')
  return [
    ...paused,
    ...breaches
      .map(({ check, subject, fault }) => ({ id: `${check} ${subject}`, note: fault }))
      .filter(({ id }) => !accepted.has(id))
      .map((each): Seen => ({
        kind: 'breach',
        since: pausedAt ?? checkedAt,
        absentAt: pausedAt,
        ...each,
      })),
    ...(isSilent || notRun.length > 0
      ? [
          {
            kind: 'guard' as const,
            id: 'guard',
            since: checkedAt,
            note: note === '' ? null : note,
            absentAt: notRun.length > 0 ? null : checkedAt,
          },
        ]
      : []),
  ]
}

const timeOf = ({ since }: InboxItem) => since?.getTime() ?? 0

const byOrder = (order: InboxOrder) => (a: InboxItem, b: InboxItem) => {
  const byTime = timeOf(a) - timeOf(b)
  if (order === 'oldest') return byTime
  const [more, less] = [b.usd ?? -1n, a.usd ?? -1n]
  return more === less ? byTime : more > less ? 1 : -1
}
