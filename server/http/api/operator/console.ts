import type { InputOf } from '#contract/endpoint.ts'
import { consoleContract } from '#contract/operator/console.ts'
import { inboxKinds } from '#domain/operators/inbox.ts'
import { implement } from '#server/http/routing/implement.ts'
import type { Services } from '#server/services.ts'
import { type Operator, requirePermission } from '#server/use-cases/access/operator.ts'
import { closeItem, leaveItem, takeItem } from '#server/use-cases/console/act-on-inbox.ts'
import { getOverview } from '#server/use-cases/console/get-overview.ts'
import { type InboxItem, listInbox } from '#server/use-cases/console/list-inbox.ts'
import { emailsFor } from './emails-for.ts'
import { presentInboxItem, presentOverview } from './present-console.ts'

export const consoleRoutes = implement(consoleContract, {
  getOverview: async (services) => presentOverview(await getOverview(services), services.sale),
  listInbox: async (services, { query: { order, kind = null, owner = null } }, operator) => {
    const { items, counts, oldest } = await listInbox(services, { order, kind, owner }, operator)
    const present = presentFor(services, operator)
    return {
      data: items.map(present),
      counts: [...counts].map(([name, count]) => ({ kind: name, count })),
      oldest: oldest && present(oldest),
    }
  },
  takeInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].read)
    return presentFor(services, operator)(await takeItem(services, seenItem(body), operator))
  },
  leaveInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].read)
    return presentFor(services, operator)(await leaveItem(services, seenItem(body), operator))
  },
  closeInboxItem: async (services, { body }, operator) => {
    requirePermission(operator, inboxKinds[body.kind].next)
    await closeItem(services, body, operator)
  },
})

type Given = InputOf<typeof consoleContract.takeInboxItem>['body']

const seenItem = ({ owner_id: seenOwnerId, ...item }: Given) => ({ ...item, seenOwnerId })

const presentFor =
  ({ sale }: Services, operator: Operator) =>
  (item: InboxItem) =>
    presentInboxItem(item, sale, emailsFor(operator))
