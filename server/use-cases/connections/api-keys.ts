import { hash } from 'node:crypto'

import { type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  endKey as endKeyRow,
  findKeyRow,
  insertKey,
  type KeyRow,
  listKeyRows,
  lockKeys,
} from '#server/database/connections/api-keys.ts'
import { lockOperator } from '#server/database/operators/operators.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import {
  API_KEY_PREFIX,
  type Operator,
  requireOpenSession,
} from '#server/use-cases/access/operator.ts'
import { mailOwnersOfAccess } from '#server/use-cases/audit/mail-owners.ts'
import { recordAction } from '#server/use-cases/audit/record-action.ts'

const DAY_MS = 24 * 60 * 60_000
/** How many usable keys there may be. */
const KEYS_MAX = 100
/** The remaining characters stay secret: 32 bytes less these few are beyond guessing. */
const SHOWN_LENGTH = API_KEY_PREFIX.length + 6

export type { KeyRow }

/** The newest first, including ended ones. */
export async function listKeys({ database }: Services): Promise<readonly KeyRow[]> {
  return await listKeyRows(database)
}

/**
 * Makes a key with the given permissions, which its maker must have; it ends with its maker's
 * account. Returns the key itself, which is never shown again. Refuses with `PermissionMissing` for
 * permissions that the maker lacks, with `InvalidInput` for a name that a usable key has, and with
 * `ConnectionLimitReached`.
 */
export async function createKey(
  services: Services,
  { name, permissions, days }: { name: string; permissions: readonly Permission[]; days: number },
  operator: Operator,
): Promise<{ key: KeyRow; secret: string }> {
  const { database, clock, random } = services
  const lacking = permissions.find((each) => !operator.permissions.includes(each))
  if (lacking !== undefined) {
    throw new Refusal('PermissionMissing', {
      message:
        `A key may do no more than its maker, and you may not ${permissionTexts[lacking]} ` +
        `(${lacking})`,
    })
  }
  const at = clock.now()
  const id = random.id()
  const secret = API_KEY_PREFIX + random.token()
  const given = [...new Set(permissions)]
  const expiresAt = new Date(at.getTime() + days * DAY_MS)
  await database.transaction().execute(async (transaction) => {
    // A reset of the maker's factors ends the keys that it finds, and comes before or after this.
    if (operator.id !== null) await lockOperator(transaction, operator.id)
    await requireOpenSession(transaction, operator)
    await lockKeys(transaction)
    await requireRoom(transaction, name, at)
    await insertKey(transaction, {
      id,
      name,
      prefix: secret.slice(0, SHOWN_LENGTH),
      key_hash: hash('sha256', secret, 'buffer'),
      permissions: given,
      created_by: operator.id,
      created_at: at,
      expires_at: expiresAt,
    })
    const details = {
      key: id,
      name,
      permissions: given.join(', '),
      expires: expiresAt.toISOString(),
    }
    await recordAction(services, transaction, operator, { act: 'createKey', details })
    const may = given.map((each) => permissionTexts[each]).join('; ')
    await mailOwnersOfAccess(services, transaction, { to: 'key', name, may })
  })
  return { key: await getKey(services, id), secret }
}

/** Whoever got no reply and tries again learns by the name that a key was made. */
async function requireRoom(transaction: DatabaseTransaction, name: string, now: Date) {
  const usable = (await listKeyRows(transaction)).filter((key) => isUsable(key, now))
  if (usable.some((key) => key.name === name)) {
    throw wrongField('name', 'A usable key has this name. End that one, or choose another name')
  }
  if (usable.length >= KEYS_MAX) {
    throw new Refusal('ConnectionLimitReached', {
      message: `There are already ${KEYS_MAX} keys. End one that is not needed`,
    })
  }
}

/** Ends a key at once. Safe to repeat. Refuses with `NotFound`. */
export async function endKey(services: Services, id: string, operator: Operator): Promise<KeyRow> {
  const { name } = await getKey(services, id)
  await services.database.transaction().execute(async (transaction) => {
    if (!(await endKeyRow(transaction, id, services.clock.now()))) return
    const action = { act: 'endKey' as const, details: { key: id, name } }
    await recordAction(services, transaction, operator, action)
  })
  return await getKey(services, id)
}

async function getKey({ database }: Services, id: string): Promise<KeyRow> {
  const key = isId(id) ? await findKeyRow(database, id) : null
  if (key === null) throw new Refusal('NotFound', { message: 'There is no key with this id' })
  return key
}

const isUsable = (key: KeyRow, now: Date) =>
  key.ended_at === null && key.maker_removed_at === null && key.expires_at > now
