import { rowToWire } from '#contract/codec.ts'
import {
  type ForeignTransfer,
  foreignTransfersContract,
} from '#contract/operator/foreign-transfers.ts'
import { camelKeys } from '#domain/key-case.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  dismissForeignToken,
  dismissForeignTransfer,
  type ForeignTransferItem,
  oweForeignTransfer,
  pageForeignTransfers,
} from '#server/use-cases/operations/foreign-transfers.ts'
import { type Emails, emailsFor } from './emails-for.ts'

export const foreignTransfersRoutes = implement(foreignTransfersContract, {
  listForeignTransfers: async (services, { query }, operator) => {
    const page = await pageForeignTransfers(services, camelKeys(query))
    const emails = emailsFor(operator)
    return {
      data: page.items.map((item) => present(item, emails)),
      after: page.after,
      sums: page.sums.map((sum) => ({ ...sum, amount: String(sum.amount) })),
    }
  },
  dismissForeignTransfer: async (services, { params: { id }, body: { reason } }, operator) =>
    present(await dismissForeignTransfer(services, { id, reason }, operator), emailsFor(operator)),
  dismissForeignToken: async (services, { body }, operator) => ({
    dismissed: await dismissForeignToken(services, body, operator),
  }),
  oweForeignTransfer: async (services, { params: { id }, body: { reason } }, operator) =>
    present(await oweForeignTransfer(services, { id, reason }, operator), emailsFor(operator)),
})

function present(item: ForeignTransferItem, emails: Emails): ForeignTransfer {
  return {
    ...rowToWire(item),
    user: { id: item.user_id, email: emails(item.email) },
    amount: String(item.amount),
    hash: item.transaction_hash,
  }
}
