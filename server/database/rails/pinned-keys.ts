import type { Database } from '#server/database/tables/tables.ts'

type PinOutcome =
  | { outcome: 'pinned' | 'known' | 'replaced' }
  /** Another key is pinned under that name, and replacing it was not accepted. */
  | { outcome: 'refused'; pinnedFingerprint: string }

/**
 * Pins a key under its name at the first start, and compares it at every later one. If
 * `isAccepted`, it replaces the pinned key.
 */
export async function pinKey(
  database: Database,
  key: { name: string; fingerprint: string },
  isAccepted: boolean,
  now: Date,
): Promise<PinOutcome> {
  const { name, fingerprint } = key
  return await database.transaction().execute(async (transaction) => {
    const first = await transaction
      .insertInto('pinned_keys')
      .values({ name, fingerprint, is_current: true, pinned_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()
    if (first !== undefined) return { outcome: 'pinned' }

    const pinned = await transaction
      .selectFrom('pinned_keys')
      .select('fingerprint')
      .where('name', '=', name)
      .where('is_current', '=', true)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (pinned.fingerprint === fingerprint) return { outcome: 'known' }
    if (!isAccepted) return { outcome: 'refused', pinnedFingerprint: pinned.fingerprint }

    await transaction
      .updateTable('pinned_keys')
      .set({ is_current: false })
      .where('name', '=', name)
      .execute()
    await transaction
      .insertInto('pinned_keys')
      .values({ name, fingerprint, is_current: true, pinned_at: now })
      .onConflict((conflict) =>
        conflict.columns(['name', 'fingerprint']).doUpdateSet({ is_current: true }),
      )
      .execute()
    return { outcome: 'replaced' }
  })
}
