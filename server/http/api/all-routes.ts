import { authRoutes } from './auth.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { operatorRoutes } from './operator.ts'
import { saleRoutes } from './sale.ts'
import { sandboxRoutes } from './sandbox.ts'
import { transactionsRoutes } from './transactions.ts'
import { usersRoutes } from './users.ts'
import { webhooksRoutes } from './webhooks.ts'

/** The calls that the server answers. Those of the sandbox exist only in a sandbox. */
export function allRoutes(isSandbox: boolean): Route[] {
  return [
    ...authRoutes,
    ...usersRoutes,
    ...saleRoutes,
    ...transactionsRoutes,
    ...operatorRoutes,
    ...webhooksRoutes,
    ...(isSandbox ? sandboxRoutes : []),
  ]
}
