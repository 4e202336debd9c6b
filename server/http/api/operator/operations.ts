import { orNull } from '#contract/codec.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { camelKeys } from '#domain/key-case.ts'
import type { OperatorMark } from '#domain/settlement/facts.ts'
import type { PurchaseStatus } from '#domain/settlement/outcome.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { getPurchaseRecord } from '#server/use-cases/operations/get-purchase-record.ts'
import { getSaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { listActions } from '#server/use-cases/audit/record-action.ts'
import { listAllocations } from '#server/use-cases/console/export-rows.ts'
import { listRefunds } from '#server/use-cases/operations/list-refunds.ts'
import { markPurchase } from '#server/use-cases/operations/mark-purchase.ts'
import { pauseSale, resumeSale } from '#server/use-cases/operations/pause-sale.ts'
import { payRefund } from '#server/use-cases/operations/pay-refund.ts'
import { closeSale } from '#server/use-cases/reversals/close-sale.ts'
import { searchPurchases } from '#server/use-cases/operations/search-purchases.ts'
import { implement } from '#server/http/routing/implement.ts'
import { emailsFor, ownersFor } from './emails-for.ts'
import {
  presentAction,
  presentFoundPurchase,
  presentOwed,
  presentPurchaseRecord,
  presentRefund,
  presentSaleState,
} from './present-operations.ts'
import { presentAllocation, rowsOf } from './present-exports.ts'

type MarkBody = {
  reason: string
  status?: PurchaseStatus | undefined
  marked_date?: Date | null | undefined
}

/** The three calls that mark a purchase differ only in the mark. */
const marking =
  (kind: OperatorMark['kind']) =>
  async (
    services: Services,
    { params: { id }, body }: { params: { id: string }; body: MarkBody },
    operator: Operator,
  ) => {
    const { reason, status, marked_date: markedAt } = body
    const marked = { id, kind, reason, seen: { status, markedAt } }
    const record = await markPurchase(services, marked, operator)
    return presentPurchaseRecord(record, services.sale, emailsFor(operator))
  }

export const operatorRoutes = implement(operatorContract, {
  getSaleState: async (services) => presentSaleState(await getSaleState(services), services.sale),
  closeSale: async (services, { body }, operator) =>
    presentSaleState(await closeSale(services, body, operator), services.sale),
  pauseSale: async (services, { body }, operator) =>
    presentSaleState(await pauseSale(services, body.reason, operator), services.sale),
  resumeSale: async (services, { body }, operator) => {
    const { force: isForced, faults, paused_date: pausedAt } = body
    const state = await resumeSale(services, { isForced, seen: { faults, pausedAt } }, operator)
    return presentSaleState(state, services.sale)
  },
  listRefunds: async (services, { query }, operator) => {
    const page = await listRefunds(services, query)
    const emails = emailsFor(operator)
    return {
      data: page.items.map((refund) => presentRefund(refund, services.sale, emails)),
      after: page.after,
      owed: page.owed.map((owed) => presentOwed(owed, services.sale)),
      counts: page.counts,
      unmatched: page.unmatchedCount,
    }
  },
  payRefund: async (services, { params, body }, operator) => {
    const { hash, amount, shared } = body
    const payment = { receiptId: params.id, hash, amount, isShared: shared }
    const refund = await payRefund(services, payment, operator)
    return presentRefund(refund, services.sale, emailsFor(operator))
  },
  searchPurchases: async (services, { query }, operator) => {
    const { at_stake: isAtStake, sort: sorting, ...rest } = query
    const filter = { ...camelKeys(rest), isAtStake, sorting }
    const { items, after } = await searchPurchases(services, filter, operator)
    const emails = emailsFor(operator)
    return { data: items.map((item) => presentFoundPurchase(item, services.sale, emails)), after }
  },
  getPurchaseRecord: async (services, { params }, operator) =>
    presentPurchaseRecord(
      await getPurchaseRecord(services, params.id, operator),
      services.sale,
      emailsFor(operator),
    ),
  holdPurchase: marking('held'),
  releasePurchase: marking('released'),
  failPurchase: marking('failed'),
  listAllocations: async (services, _input, operator) => {
    const owners = ownersFor(operator)
    return rowsOf(await listAllocations(services, operator), (row) =>
      presentAllocation(row, services.sale, owners),
    )
  },
  listActions: async (services, { query }) => {
    const { items, after } = await listActions(services, query)
    return { data: items.map(presentAction), after: orNull(after, String) }
  },
})
