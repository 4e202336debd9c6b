import { deleteTwoFactor } from '#server/database/accounts/two-factor.ts'
import type { Database, DatabaseTransaction } from '#server/database/tables/tables.ts'

/**
 * How many ways to prove themselves an operator has besides the password; recovery codes do not
 * count.
 */
export async function countFactors(database: Database, operatorId: string): Promise<number> {
  const row = await database
    .selectNoFrom((select) => [
      select
        .selectFrom('operator_passkeys')
        .select((each) => each.fn.countAll().as('count'))
        .where('operator_id', '=', operatorId)
        .as('passkeys'),
      select
        .selectFrom('two_factors')
        .select((each) => each.fn.countAll().as('count'))
        .where('account_id', '=', operatorId)
        .where('confirmed_at', 'is not', null)
        .as('apps'),
    ])
    .executeTakeFirstOrThrow()
  return Number(row.passkeys) + Number(row.apps)
}

/** Ends every factor of an operator, and the recovery codes. */
export async function deleteFactors(
  transaction: DatabaseTransaction,
  operatorId: string,
): Promise<void> {
  await transaction.deleteFrom('operator_passkeys').where('operator_id', '=', operatorId).execute()
  await deleteTwoFactor(transaction, operatorId)
}
