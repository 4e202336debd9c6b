import { exportsContract } from '#contract/operator/exports.ts'
import { implement } from '#server/http/routing/implement.ts'
import {
  exportLedger,
  exportPurchases,
  exportReceipts,
  exportRefunds,
  exportUnmatched,
} from '#server/use-cases/console/export-rows.ts'
import { emailsFor, ownersFor } from './emails-for.ts'
import {
  presentExportedPurchase,
  presentExportedReceipt,
  presentExportedRefund,
  presentExportedRelease,
  presentExportedTransfer,
  presentExportedUnmatched,
  rowsOf,
} from './present-exports.ts'
import { exportReleases } from '#server/use-cases/releases/export-releases.ts'

export const exportsRoutes = implement(exportsContract, {
  exportPurchases: async (services, { query: { from, to } }, operator) => {
    const emails = emailsFor(operator)
    return rowsOf(await exportPurchases(services, { from, to }, operator), (row) =>
      presentExportedPurchase(row, emails),
    )
  },
  exportRefunds: async (services, _input, operator) => {
    const emails = emailsFor(operator)
    return rowsOf(await exportRefunds(services, operator), (row) =>
      presentExportedRefund(row, services.sale, emails),
    )
  },
  exportReceipts: async (services, _input, operator) =>
    rowsOf(await exportReceipts(services, operator), (row) =>
      presentExportedReceipt(row, services.sale),
    ),
  exportUnmatched: async (services, _input, operator) =>
    rowsOf(await exportUnmatched(services, operator), (row) =>
      presentExportedUnmatched(row, services.sale),
    ),
  exportLedger: async (services, _input, operator) =>
    rowsOf(await exportLedger(services, operator), (row) =>
      presentExportedTransfer(row, services.sale),
    ),
  exportReleases: async (services, _input, operator) => {
    const owners = ownersFor(operator)
    return rowsOf(await exportReleases(services, operator), (row) =>
      presentExportedRelease(row, services.sale, owners),
    )
  },
})
