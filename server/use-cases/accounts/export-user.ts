import {
  listStoredTransactions,
  type PageStart,
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
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'
import { getReferrals } from './get-referrals.ts'
import { getTwoFactor } from '#server/use-cases/access/two-factor.ts'
import {
  type TransactionView,
  viewTransaction,
} from '#server/use-cases/purchases/transaction-view.ts'
import { getOwnUser, loadUserAccount, requireSelf } from '#server/use-cases/access/user-account.ts'

const PAGE = 100

export type ExportedUser = Awaited<ReturnType<typeof exportUser>>

/** All that is stored of the caller, but for hashes and secrets. Refuses with `TooManyRequests`. */
export async function exportUser(services: Services, userId: string, caller: Caller) {
  requireSelf(caller, userId)
  await services.limits.take('export_by_user', userId)
  const { database } = services
  const user = await getOwnUser(services, caller)
  const transactions = await listAllTransactions(services, userId)
  const purchases = transactions.filter(({ type }) => type === 'purchase').map(({ id }) => id)
  const transactionIds = transactions.map(({ id }) => id)
  return {
    exportedAt: services.clock.now(),
    account: await loadUserAccount(services, user),
    ...profileBesides(user),
    twoFactor: await getTwoFactor(services, caller),
    sessions: await listSessionRecords(database, userId),
    places: await listPlaceRecords(database, userId),
    links: await listLinkRecords(database, userId),
    mails: await listMailRecords(database, userId),
    transactions,
    ...(await listPurchaseRecords(database, purchases)),
    actions: await listActionRecords(database, userId, purchases),
    ledger: await listLedgerRecords(database, userId, transactionIds),
    referrals: await getReferrals(services, userId, caller),
  }
}

/** What is stored of a user and not shown on the account's page. */
function profileBesides(user: UserRow) {
  return { referrerId: user.referrer_id, requiresPasswordChange: user.requires_password_change }
}

async function listAllTransactions(services: Services, userId: string): Promise<TransactionView[]> {
  const views: TransactionView[] = []
  const filter = { userId, state: null }
  let start: PageStart | null = null
  for (;;) {
    const rows = await listStoredTransactions(services.database, filter, start, PAGE + 1, null)
    views.push(...rows.slice(0, PAGE).map((row) => viewTransaction(services, row)))
    const next = rows[PAGE]
    if (next === undefined) return views
    start = { createdAt: next.createdAt, id: next.id, towards: 'older' }
  }
}
