import { listAccounts } from '#server/database/books/ledger.ts'
import type { NamedStatements } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { createBatcher } from './batcher.ts'

const BATCH_MAX = 200
const WAITING_MAX = 20_000

export function createAccountReader(statements: NamedStatements): Services['readAccount'] {
  return createBatcher({
    batchMax: BATCH_MAX,
    waitingMax: WAITING_MAX,
    run: async (userIds) => {
      const accounts = await listAccounts(statements, [...new Set(userIds)])
      const byId = new Map(accounts.map((account) => [account.user.id, account]))
      return userIds.map((id) => byId.get(id) ?? null)
    },
  })
}
