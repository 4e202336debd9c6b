import {
  listStoredTransactions,
  type PageStart,
  type StoredTransaction,
} from '#server/database/purchases/transaction-pages.ts'
import {
  listActionRecords,
  listLedgerRecords,
  listLinkRecords,
  listMailRecords,
  listPlaceRecords,
  listPurchaseRecords,
  listSessionRecords,
} from '#server/database/accounts/user-records.ts'
import type { UserRow } from '#server/database/accounts/users.ts'
import { listHoldings } from '#server/database/delivery/holdings.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { sumReferrals } from './get-referrals.ts'
import {
  listDistributionRecords,
  listSnapshotRecords,
} from '#server/database/delivery/delivery-records.ts'
import { listWalletRecords } from '#server/database/delivery/wallets.ts'
import { listClaimParts, listClaimsOf } from '#server/database/refunds/claims.ts'
import { getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import {
  type TransactionView,
  viewTransaction,
} from '#server/use-cases/purchases/transaction-view.ts'
import { getOwnUser, loadUserAccount, requireSelf } from '#server/use-cases/access/user-account.ts'

const PAGE = 100

export type ExportedUser = Awaited<ReturnType<typeof collectExport>>

/** Everything stored about the caller, except hashes and secrets. */
export async function exportUser(services: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  await services.limits.take('export_by_user', userId)
  return await collectExport(services, await getOwnUser(services, caller))
}

/** Everything stored about a user. What is shown of it has no hashes and no secrets. */
export async function collectExport(services: Services, user: UserRow) {
  const { database } = services
  const userId = user.id
  const transactions = await listAllTransactions(services, userId)
  const purchases = transactions.filter(({ type }) => type === 'purchase').map(({ id }) => id)
  const transactionIds = transactions.map(({ id }) => id)
  return {
    exportedAt: services.clock.now(),
    account: await loadUserAccount(services, user.id),
    ...profileBesides(user),
    twoFactor: await getTwoFactor(services, { userId }),
    sessions: await listSessionRecords(database, userId),
    places: await listPlaceRecords(database, userId),
    links: await listLinkRecords(database, userId),
    mails: await listMailRecords(database, userId),
    transactions,
    holdings: await listHoldings(database, userId),
    ...(await listPurchaseRecords(database, purchases)),
    claims: await listClaimRecords(services, userId),
    wallets: await listWalletRecords(database, userId),
    snapshots: await listSnapshotRecords(database, userId),
    distributions: await listDistributionRecords(database, userId),
    actions: await listActionRecords(database, userId, purchases),
    ledger: await listLedgerRecords(database, userId, transactionIds),
    referrals: await sumReferrals(services, userId),
  }
}

async function listClaimRecords({ database }: Services, userId: string) {
  const claims = await listClaimsOf(database, userId, null)
  const parts = await listClaimParts(
    database,
    claims.map(({ id }) => id),
  )
  return claims.map((claim) => ({ ...claim, parts: parts.get(claim.id) ?? [] }))
}

/** What is stored about a user and not shown on the account page. */
function profileBesides(user: UserRow) {
  return { referrerId: user.referrer_id, requiresPasswordChange: user.requires_password_change }
}

async function listAllTransactions(services: Services, userId: string): Promise<TransactionView[]> {
  const views: TransactionView[] = []
  let start: PageStart | null = null
  for (;;) {
    const variant = { state: null, towards: start === null ? null : ('older' as const) }
    const question = { userId, state: null, start, countMax: PAGE + 1 }
    const [page] = await listStoredTransactions(services.statements, variant, [question], null)
    const items = page?.items ?? []
    views.push(...items.slice(0, PAGE).map((item) => viewTransaction(services, item)))
    const next: StoredTransaction | undefined = items[PAGE]
    if (next === undefined) return views
    start = { createdAt: next.createdAt, id: next.id, towards: 'older' }
  }
}
