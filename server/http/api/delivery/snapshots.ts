import { instantToWire, orNull, rowToWire } from '#contract/codec.ts'
import {
  type Snapshot,
  type SnapshotChange,
  type SnapshotReport,
  snapshotsContract,
} from '#contract/operator/snapshots.ts'
import { formatDecimal } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentPublicSnapshot } from './proof.ts'
import { correctSnapshot, freeze } from '#server/use-cases/snapshots/freeze.ts'
import {
  exportUnassigned,
  inviteUnassigned,
} from '#server/use-cases/snapshots/invite-unassigned.ts'
import {
  type DifferencePage,
  listSnapshotChanges,
  reportSnapshots,
  type SnapshotReport as Report,
} from '#server/use-cases/snapshots/report-snapshots.ts'
import { type Emails, emailsFor } from '#server/http/api/operator/emails-for.ts'
import { rowsOf } from '#server/http/api/operator/present-exports.ts'

export const snapshotsRoutes = implement(snapshotsContract, {
  getSnapshots: async (services) => presentReport(await reportSnapshots(services), services.sale),
  freeze: async (services, _input, operator) =>
    presentSnapshot(await freeze(services, operator), services.sale),
  correctSnapshot: async (services, { body }, operator) =>
    presentSnapshot(await correctSnapshot(services, body.reason, operator), services.sale),
  listSnapshotChanges: async (services, { params, query }, operator) => {
    const number = /^\d{1,9}$/.test(params.number) ? Number(params.number) : 0
    const { items, after } = await listSnapshotChanges(services, { ...query, number })
    const emails = emailsFor(operator)
    return { data: items.map((each) => presentChange(each, services.sale, emails)), after }
  },
  exportUnassigned: async (services, _input, operator) => {
    const { decimals } = services.sale.project
    const emails = emailsFor(operator)
    return rowsOf(await exportUnassigned(services, operator), (owner) => ({
      ...rowToWire(owner),
      email: emails(owner.email),
      tokens: formatDecimal(owner.tokens, decimals),
    }))
  },
  inviteUnassigned: async (services, _input, operator) => ({
    invited: await inviteUnassigned(services, operator),
  }),
})

type Tokens = Pick<Sale, 'project'>

function presentReport(report: Report, sale: Tokens): SnapshotReport {
  const { undecided, owned, snapshots, movements, unassigned, invitedAt } = report
  const { decimals } = sale.project
  return {
    undecided: [...undecided],
    owned: formatDecimal(owned, decimals),
    snapshots: snapshots.map((each) => presentSnapshot(each, sale)),
    movements,
    unassigned: {
      ...unassigned,
      tokens: formatDecimal(unassigned.tokens, decimals),
      invited_date: orNull(invitedAt, instantToWire),
    },
  }
}

function presentSnapshot(row: Report['snapshots'][number], sale: Tokens): Snapshot {
  return {
    ...presentPublicSnapshot(row, sale),
    owners: row.owner_count,
    ledger_position: String(row.ledger_position),
    reason: row.reason,
  }
}

function presentChange(
  change: DifferencePage['items'][number],
  { project: { decimals } }: Tokens,
  emails: Emails,
): SnapshotChange {
  return {
    ...rowToWire(change),
    user: { id: change.userId, email: emails(change.email) },
    before: formatDecimal(change.before, decimals),
    after: formatDecimal(change.after, decimals),
    causes: change.causes.map(({ causeId, isReward, before, after, status, reason }) => ({
      id: causeId,
      type: isReward ? 'reward' : 'purchase',
      before: formatDecimal(before, decimals),
      after: formatDecimal(after, decimals),
      status,
      status_reason: reason,
    })),
  }
}
