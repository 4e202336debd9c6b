import { authRoutes } from './auth.ts'
import type { Route } from '#server/http/routing/implement.ts'
import { connectionsRoutes } from './operator/connections.ts'
import { approvalsRoutes } from './operator/approvals.ts'
import { auditRoutes } from './operator/audit.ts'
import { consoleRoutes } from './operator/console.ts'
import { distributionsRoutes } from './operator/delivery/distributions.ts'
import { exportsRoutes } from './operator/exports.ts'
import { foreignTransfersRoutes } from './operator/foreign-transfers.ts'
import { operatorRoutes } from './operator/operations.ts'
import { saleFilesRoutes } from './operator/sale-files.ts'
import { accountRoutes } from './operator/account.ts'
import { signInRoutes } from './operator/sign-in.ts'
import { teamRoutes } from './operator/team.ts'
import { peopleRoutes } from './operator/people.ts'
import { refundBatchesRoutes } from './operator/refund-batches.ts'
import { refundClaimsRoutes } from './operator/refund-claims.ts'
import { snapshotsRoutes } from './delivery/snapshots.ts'
import { proofRoutes } from './delivery/proof.ts'
import { deliveriesRoutes } from './deliveries.ts'
import { refundsRoutes } from './refunds.ts'
import { releasesRoutes } from './releases.ts'
import { sweepsRoutes } from './operator/sweeps.ts'
import { saleRoutes } from './sale.ts'
import { sandboxRoutes } from './sandbox.ts'
import { transactionsRoutes } from './transactions.ts'
import { operatorWalletsRoutes } from './delivery/operator-wallets.ts'
import { walletsRoutes } from './delivery/wallets.ts'
import { ownExportRoutes, usersRoutes } from './users.ts'
import { webhooksRoutes } from './webhooks.ts'

/** The calls that the server answers. Those of the sandbox exist only in a sandbox. */
export function allRoutes(isSandbox: boolean): Route[] {
  return [
    ...authRoutes,
    ...usersRoutes,
    ...ownExportRoutes,
    ...saleRoutes,
    ...transactionsRoutes,
    ...refundsRoutes,
    ...releasesRoutes,
    ...walletsRoutes,
    ...deliveriesRoutes,
    ...operatorRoutes,
    ...refundClaimsRoutes,
    ...refundBatchesRoutes,
    ...foreignTransfersRoutes,
    ...peopleRoutes,
    ...saleFilesRoutes,
    ...connectionsRoutes,
    ...signInRoutes,
    ...accountRoutes,
    ...teamRoutes,
    ...approvalsRoutes,
    ...auditRoutes,
    ...consoleRoutes,
    ...exportsRoutes,
    ...sweepsRoutes,
    ...operatorWalletsRoutes,
    ...snapshotsRoutes,
    ...proofRoutes,
    ...distributionsRoutes,
    ...webhooksRoutes,
    ...(isSandbox ? sandboxRoutes : []),
  ]
}
