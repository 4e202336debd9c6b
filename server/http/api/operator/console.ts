import { consoleContract } from '#contract/operator/console.ts'
import { inboxKinds } from '#domain/operators/inbox.ts'
import { implement } from '#server/http/routing/implement.ts'
import { requirePermission } from '#server/use-cases/access/operator.ts'
import { closeItem, leaveItem, takeItem } from '#server/use-cases/console/act-on-inbox.ts'
import { getOverview } from '#server/use-cases/console/get-overview.ts'
import { listInbox } from '#server/use-cases/console/list-inbox.ts'
import { presentInboxItem, presentOverview } from './present-console.ts'

export const consoleRoutes = implement(consoleContract, {
  getOverview: async (services) => presentOverview(await getOverview(services), services.sale),
  listInbox: async (services, { query: { order, kind = null, owner = null } }, operator) => {
    const { items, counts, oldest } = await listInbox(services, { order, kind, owner }, operator)
    return {
      data: items.map((item) => presentInboxItem(item, services.sale)),
      counts: [...counts].map(([name, count]) => ({ kind: name, count })),
      oldest: oldest && presentInboxItem(oldest, services.sale),
    }
  },
  takeInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].read)
    return presentInboxItem(await takeItem(services, body, operator), services.sale)
  },
  leaveInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].read)
    return presentInboxItem(await leaveItem(services, body, operator), services.sale)
  },
  closeInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].next)
    await closeItem(services, body, operator)
  },
})
