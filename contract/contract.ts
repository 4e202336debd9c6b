import { ownExportContract } from './export.ts'
import { authContract } from './auth.ts'
import { connectionsContract } from './operator/connections.ts'
import { approvalsContract } from './operator/approvals.ts'
import { auditContract } from './operator/audit.ts'
import { consoleContract } from './operator/console.ts'
import { distributionsContract } from './operator/distributions.ts'
import { exportsContract } from './operator/exports.ts'
import { foreignTransfersContract } from './operator/foreign-transfers.ts'
import { accountContract, signInContract } from './operator/account.ts'
import { teamContract } from './operator/team.ts'
import { operatorContract } from './operator/operations.ts'
import { saleFilesContract } from './operator/sale-files.ts'
import { operatorWalletsContract, peopleContract } from './operator/people.ts'
import { refundBatchesContract } from './operator/refund-batches.ts'
import { refundClaimsContract } from './operator/refund-claims.ts'
import { releasesContract } from './delivery/releases.ts'
import { snapshotsContract } from './operator/snapshots.ts'
import { proofContract } from './delivery/proof.ts'
import { deliveriesContract } from './delivery/deliveries.ts'
import { refundsContract } from './refunds.ts'
import { sweepsContract } from './operator/sweeps.ts'
import { saleContract } from './sale.ts'
import { sandboxContract } from './sandbox.ts'
import { transactionsContract } from './transactions.ts'
import { usersContract } from './users.ts'
import { walletsContract } from './delivery/wallets.ts'
import { webhooksContract } from './webhooks.ts'

export const contract = {
  auth: authContract,
  users: { ...usersContract, ...ownExportContract },
  sale: saleContract,
  transactions: transactionsContract,
  refunds: refundsContract,
  releases: releasesContract,
  wallets: walletsContract,
  deliveries: deliveriesContract,
  sandbox: sandboxContract,
  operator: operatorContract,
  refundClaims: refundClaimsContract,
  refundBatches: refundBatchesContract,
  foreignTransfers: foreignTransfersContract,
  people: peopleContract,
  saleFiles: saleFilesContract,
  connections: connectionsContract,
  signIn: signInContract,
  operatorAccount: accountContract,
  team: teamContract,
  approvals: approvalsContract,
  audit: auditContract,
  console: consoleContract,
  exports: exportsContract,
  sweeps: sweepsContract,
  operatorWallets: operatorWalletsContract,
  snapshots: snapshotsContract,
  proof: proofContract,
  distributions: distributionsContract,
  webhooks: webhooksContract,
}
