import { sql } from 'kysely'
import type { SubjectCheck } from './subject-check.ts'

/** What must hold of purchases that are undone as a whole, and of transfers that were taken up. */
export const undoneChecks: readonly SubjectCheck[] = [
  {
    name: 'reversed_gives_nothing',
    kind: 'purchase',
    find: (ids) => sql`
      select id as owner, id as subject, format(
        'Purchase %s was undone (%s), and is %s with %s held', id, reversal, status, held
      ) as fault
      from purchases
      where id = any (${ids}::uuid[]) and reversal is not null
        and (
          held > 0 or allocations <> '[]'
            or not (
              status = 'failed' and status_reason = reversal
              or status = 'processing' and status_reason = 'held'
            )
        )
        and id not in (select purchase_id from settlements_due)`,
  },
  {
    name: 'owed_transfer_is_receipt',
    kind: 'purchase',
    find: (ids) => sql`
      select transfer.purchase_id as owner, transfer.id as subject, format(
        'Transfer %s was taken up as a debt of %s %s, and is no such receipt', transfer.id,
        transfer.amount, transfer.asset
      ) as fault
      from foreign_transfers as transfer
      where transfer.purchase_id = any (${ids}::uuid[]) and transfer.state = 'owed'
        and not exists (
          select from receipts
          where receipts.id = transfer.id and receipts.asset = transfer.asset
            and receipts.amount = transfer.amount and receipts.is_gone = transfer.is_gone
        )`,
  },
]
