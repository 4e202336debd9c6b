import { sql } from 'kysely'

import { listBrokenInvariants } from '#tests/kit/model/broken-invariants.ts'
import type { Database } from '#server/database/tables/tables.ts'
import type { TakenMail } from '#tests/kit/servers/smtp-server.ts'
import { eventIdOf, type Witness } from './witness.ts'

export type Audit = {
  /** What was acknowledged and is missing, or differs. */
  lost: string[]
  /** What is there twice, or was never requested. */
  doubled: string[]
  /** Payments that were made and not credited once. */
  uncredited: string[]
  /** Breaches of the books, and checks that could not be made. */
  broken: string[]
  mails: {
    total: number
    /** Mails that were written but never accepted by the mail server, or not marked as sent. */
    missing: string[]
    /** Mails that the mail server accepted more than once. */
    repeated: number
  }
  /** Webhooks that were answered and are not recorded exactly once. */
  webhooks: string[]
  purchases: number
  completed: number
}

/** How the outbox notes a mail that it need not send. */
const OBSOLETE = 'It was out of date'

/** Compares the database with what was seen outside of it. */
export async function auditAll(
  database: Database,
  witness: Witness,
  taken: readonly TakenMail[],
): Promise<Audit> {
  const rows = await database
    .selectFrom('purchases')
    .select(['id', 'user_id', 'idempotency_key', 'address', 'status', 'crypto_due'])
    .execute()
  const byKey = new Map<string, (typeof rows)[number][]>()
  for (const row of rows) {
    const key = row.idempotency_key ?? row.id
    byKey.set(key, [...(byKey.get(key) ?? []), row])
  }
  const lost: string[] = []
  const doubled: string[] = []
  const uncredited: string[] = []
  const receipts = await receiptsByPurchase(database)
  for (const { key, user, purchase, paid, during } of witness.made.values()) {
    const [row] = byKey.get(key) ?? []
    if (
      row?.id !== purchase.id ||
      row.user_id !== user.id ||
      row.address !== purchase.payment_address
    ) {
      lost.push(`${purchase.id} (${key}, ${during})`)
      continue
    }
    const received = receipts.get(row.id)
    const isCredited =
      row.status === 'completed' && received?.count === 1 && received.amount === row.crypto_due
    const isUntouched = row.status === 'pending' && received === undefined
    const isRight =
      paid === 'yes' ? isCredited : paid === 'maybe' ? isCredited || isUntouched : isUntouched
    if (!isRight) {
      const seen = `${row.status} with ${received?.count ?? 0} receipts`
      uncredited.push(`${row.id} (paid: ${paid}, ${during}) is ${seen}`)
    }
  }
  for (const [key, found] of byKey) {
    if (found.length > 1) doubled.push(`${found.length} purchases of the key ${key}`)
    if (!witness.made.has(key)) doubled.push(`${key} was answered to nobody`)
  }
  return {
    lost,
    doubled,
    uncredited,
    broken: await listBrokenInvariants(database),
    mails: await auditMails(database, rows, taken),
    webhooks: await auditWebhooks(database, witness),
    purchases: rows.length,
    completed: rows.filter(({ status }) => status === 'completed').length,
  }
}

async function receiptsByPurchase(database: Database) {
  const rows = await database
    .selectFrom('receipts')
    .select([
      'purchase_id',
      sql<bigint>`count(*)`.as('count'),
      sql<bigint>`sum(amount)`.as('amount'),
    ])
    .groupBy('purchase_id')
    .execute()
  return new Map(
    rows.map(({ purchase_id, count, amount }) => [purchase_id, { count: Number(count), amount }]),
  )
}

async function auditMails(
  database: Database,
  purchases: readonly { id: string; status: string }[],
  taken: readonly TakenMail[],
): Promise<Audit['mails']> {
  const rows = await database
    .selectFrom('outbox_mails')
    .select(['id', 'unique_key', 'created_at', 'sent_at', 'kind', 'last_fault', 'dropped_at'])
    .execute()
  const times = new Map<string, number>()
  for (const { headers } of taken) {
    const id = /^Message-ID: <([^@]*)@/m.exec(headers)?.[1] ?? 'none'
    times.set(id, (times.get(id) ?? 0) + 1)
  }
  const keys = new Set(rows.map(({ unique_key }) => unique_key))
  const missing = [
    ...purchases
      .filter(({ id }) => !keys.has(`purchase_created:${id}`))
      .map(({ id }) => `none of the purchase ${id}`),
    ...rows
      .filter((row) => {
        // What it was about had changed before it was sent: another mail covers the rest.
        if (row.dropped_at !== null && row.last_fault?.startsWith(OBSOLETE) === true) return false
        return row.sent_at === null || !times.has(`${row.created_at.getTime()}.${row.id}`)
      })
      .map(({ id, kind, sent_at }) => `${kind} ${id}, ${sent_at === null ? 'not ' : ''}sent`),
  ]
  let repeated = 0
  for (const count of times.values()) repeated += count - 1
  return { total: rows.length, missing, repeated }
}

async function auditWebhooks(database: Database, { webhooks }: Witness): Promise<string[]> {
  const rows = await database.selectFrom('gateway_events').select('event_id').execute()
  const stored = new Set(rows.map(({ event_id }) => event_id))
  return [...webhooks]
    .filter(([, { signature, isAnswered }]) => !isAnswered || !stored.has(eventIdOf(signature)))
    .map(([body]) => body.slice(0, 60))
}
