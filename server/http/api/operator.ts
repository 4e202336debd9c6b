import { operatorContract } from '#contract/operator.ts'
import type { OperatorMark } from '#domain/settlement/facts.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import {
  endSessionsByOperator,
  endTwoFactorByOperator,
  requirePasswordChange,
} from '#server/use-cases/operations/act-on-users.ts'
import { getPurchaseRecord } from '#server/use-cases/operations/get-purchase-record.ts'
import { getSaleState } from '#server/use-cases/operations/get-sale-state.ts'
import { listActions, type Operator } from '#server/use-cases/operations/operator-actions.ts'
import { listAllocations } from '#server/use-cases/operations/list-allocations.ts'
import { listRefunds } from '#server/use-cases/operations/list-refunds.ts'
import { markPurchase } from '#server/use-cases/operations/mark-purchase.ts'
import { pauseSale, resumeSale } from '#server/use-cases/operations/pause-sale.ts'
import { payRefund } from '#server/use-cases/operations/pay-refund.ts'
import { searchPurchases } from '#server/use-cases/operations/search-purchases.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  presentAction,
  presentAllocations,
  presentFoundPurchase,
  presentOwed,
  presentPurchaseRecord,
  presentRefund,
  presentUserState,
} from './present-operator.ts'
import { presentSaleState } from './present-sale-state.ts'

const operatorOf = ({ operatorName, address }: Client): Operator => ({
  name: operatorName,
  address,
})

/** The three calls that mark a purchase differ in the mark alone. */
const marking =
  (kind: OperatorMark['kind']) =>
  async (
    services: Services,
    { params: { id }, body: { reason } }: { params: { id: string }; body: { reason: string } },
    _caller: null,
    client: Client,
  ) =>
    presentPurchaseRecord(
      await markPurchase(services, { id, kind, reason }, operatorOf(client)),
      services.sale,
    )

export const operatorRoutes = implement(operatorContract, {
  getSaleState: async (services) => presentSaleState(await getSaleState(services)),
  pauseSale: async (services, { body }, _caller, client) =>
    presentSaleState(await pauseSale(services, body.reason, operatorOf(client))),
  resumeSale: async (services, { body }, _caller, client) =>
    presentSaleState(await resumeSale(services, body.force, operatorOf(client))),
  listRefunds: async (services, { query: { all, after, limit } }) => {
    const page = await listRefunds(services, { isAll: all, after, limit })
    return {
      data: page.items.map((refund) => presentRefund(refund, services.sale)),
      after: page.after,
      owed: page.owed.map((owed) => presentOwed(owed, services.sale)),
    }
  },
  payRefund: async (services, { params, body }, _caller, client) => {
    const { hash, amount, shared } = body
    const payment = { receiptId: params.id, hash, amount, isShared: shared }
    const refund = await payRefund(services, payment, operatorOf(client))
    return presentRefund(refund, services.sale)
  },
  searchPurchases: async (services, { query }) => {
    const { items, after } = await searchPurchases(services, query)
    return { data: items.map((item) => presentFoundPurchase(item, services.sale)), after }
  },
  getPurchaseRecord: async (services, { params }) =>
    presentPurchaseRecord(await getPurchaseRecord(services, params.id), services.sale),
  holdPurchase: marking('held'),
  releasePurchase: marking('released'),
  failPurchase: marking('failed'),
  listAllocations: async (services, _input, _caller, client) =>
    presentAllocations(await listAllocations(services, operatorOf(client)), services.sale),
  requirePasswordChange: async (services, { params }, _caller, client) =>
    presentUserState(await requirePasswordChange(services, params.id, operatorOf(client))),
  endUserTwoFactor: async (services, { params }, _caller, client) =>
    presentUserState(await endTwoFactorByOperator(services, params.id, operatorOf(client))),
  endUserSessions: async (services, { params }, _caller, client) =>
    presentUserState(await endSessionsByOperator(services, params.id, operatorOf(client))),
  listActions: async (services, { query }) => {
    const { items, after } = await listActions(services, {
      after: query.after ?? null,
      limit: query.limit,
    })
    return { data: items.map(presentAction), after: after === null ? null : String(after) }
  },
})
