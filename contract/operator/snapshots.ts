import * as z from 'zod/mini'

import { undecidedKinds } from '#domain/delivery/undecided.ts'
import { purchaseStatuses } from '#domain/settlement/outcome.ts'
import { DecimalString, Instant } from '#contract/values.ts'
import { Id } from '#contract/shapes.ts'
import { PublicSnapshot } from '#contract/delivery/proof.ts'
import { operatorAct, operatorRead, pageFrom, Person, Reason, RowsForm } from './shapes.ts'

const Count = z.int().check(z.minimum(0))

/** Who owned how many tokens when the books were closed. */
export const Snapshot = z.object({
  ...PublicSnapshot.shape,
  owners: Count,
  /** The last ledger transfer that is in it. */
  ledger_position: z.string(),
  /** Why it corrects the one before; null for the first. */
  reason: z.nullable(z.string()),
})
export type Snapshot = z.output<typeof Snapshot>

export const SnapshotReport = z.object({
  /** What can still change who owns what, so that the books cannot be closed; empty if nothing. */
  undecided: z.array(
    z.object({ kind: z.enum(undecidedKinds), count: Count, sentence: z.string() }),
  ),
  /** What buyers own now, according to the ledger. */
  owned: DecimalString,
  snapshots: z.array(Snapshot),
  /**
   * How often buyers' tokens were moved since the last snapshot, for example by a reorganisation.
   */
  movements: Count,
  /** People with tokens but no wallet: by the last snapshot if there is one. */
  unassigned: z.object({
    count: Count,
    tokens: DecimalString,
    /** Those whose accounts were not erased. */
    invitable: Count,
    /** When they were last asked for a wallet. */
    invited_date: z.nullable(Instant),
  }),
})
export type SnapshotReport = z.output<typeof SnapshotReport>

/** What differs for one owner: tokens, wallet, or both. */
export const SnapshotChange = z.object({
  user: Person,
  before: DecimalString,
  after: DecimalString,
  /** The wallets in effect; null if there was none. */
  wallet_before: z.nullable(z.string()),
  wallet_after: z.nullable(z.string()),
  /** The purchases and rewards whose tokens differ, at most a hundred, with their current state. */
  causes: z.array(
    z.object({
      id: Id,
      type: z.enum(['purchase', 'reward']),
      before: DecimalString,
      after: DecimalString,
      status: z.enum(purchaseStatuses),
      status_reason: z.nullable(z.string()),
    }),
  ),
})
export type SnapshotChange = z.output<typeof SnapshotChange>

const UnassignedOwner = z.object({
  user_id: Id,
  email: z.string(),
  tokens: DecimalString,
  /** Nobody can set a wallet for an erased account. */
  is_erased: z.boolean(),
})

const NumberParams = z.strictObject({ number: z.string() })

/** Closing the books: who owns how many tokens, for good. */
export const snapshotsContract = {
  getSnapshots: operatorRead({
    path: '/operator/snapshots',
    permission: 'delivery.read',
    summary:
      'Returns what is still undecided, the snapshots, and how many people have tokens but no ' +
      'wallet.',
    result: SnapshotReport,
  }),
  freeze: operatorAct({
    path: '/operator/freeze',
    permission: 'allocations.freeze',
    summary: 'Closes the books, for good: writes who owns how many tokens as snapshot 1.',
    result: Snapshot,
    mayWait: true,
    errors: ['FreezeRefused', 'BooksDisagree'],
  }),
  correctSnapshot: operatorAct({
    path: '/operator/freeze/correct',
    permission: 'allocations.freeze',
    summary: 'Writes the next snapshot, if tokens or wallets differ from the last one.',
    body: z.strictObject({
      /** For operators; it is not public. */
      reason: Reason('Say in a few words why the last snapshot is corrected'),
    }),
    result: Snapshot,
    mayWait: true,
    errors: ['FreezeRefused', 'BooksDisagree'],
  }),
  listSnapshotChanges: operatorRead({
    path: '/operator/snapshots/{number}/changes',
    permission: 'delivery.read',
    summary:
      'Lists what a snapshot changed from the one before, owner by owner; with the number after ' +
      'the last one, what a correction would change now.',
    params: NumberParams,
    query: z.strictObject({
      ...pageFrom(Id),
    }),
    result: z.object({ data: z.array(SnapshotChange), after: z.nullable(Id) }),
  }),
  exportUnassigned: operatorRead({
    path: '/operator/unassigned',
    permission: 'allocations.export',
    summary:
      'Exports who has tokens but no wallet to send them to, as CSV: one snapshot of the moment.',
    query: z.strictObject({ form: RowsForm }),
    status: 200,
    rows: UnassignedOwner,
    errors: ['Busy'],
  }),
  inviteUnassigned: operatorAct({
    path: '/operator/unassigned/invite',
    permission: 'delivery.manage',
    summary: 'Asks everyone who has tokens but no wallet for one, by mail, at most once a day.',
    result: z.object({ invited: Count }),
    errors: ['FreezeRefused'],
  }),
}
