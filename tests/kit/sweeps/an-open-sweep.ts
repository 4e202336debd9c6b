import { createHash, randomUUID } from 'node:crypto'

import { cryptoAmount } from '#domain/money.ts'
import { insertSweep, openSweep } from '#server/database/sweeps/sweeps.ts'
import type { Database } from '#server/database/tables/tables.ts'

/** A sweep of two addresses that the server may send, of which it has sent nothing. */
export async function anOpenSweep(database: Database, chain = 'a chain'): Promise<string> {
  const id = randomUUID()
  const at = new Date()
  const file_hash = createHash('sha256').update(id).digest('hex')
  const sweep = { id, chain, treasury: 'treasury', payer: 'payer', file_hash, kept_at: at }
  const transactions = [0, 1].map((place) => ({
    place,
    kind: 'coins' as const,
    transaction_hash: `${id} ${place}`,
    raw: `signed ${place}`,
    sender: `sender ${place}`,
    nonce: 0n,
    address: `sender ${place}`,
    payment_token_id: null,
    amount: cryptoAmount(1n),
    fee: cryptoAmount(1n),
  }))
  await database.transaction().execute(async (transaction) => {
    await insertSweep(transaction, sweep, transactions)
    await openSweep(transaction, sweep, at)
  })
  return id
}
