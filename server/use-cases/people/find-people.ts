import { normalizeEmail } from '#domain/accounts/account.ts'
import { deviceName } from '#domain/accounts/device.ts'
import type { TokenAmount } from '#domain/money.ts'
import { Refusal, wrongField } from '#domain/refusal.ts'
import {
  findPerson,
  listReferred,
  type PersonRow,
  type ReferredRow,
  searchPeople as searchRows,
} from '#server/database/accounts/people.ts'
import { listUserSessions, type SessionRow } from '#server/database/accounts/sessions.ts'
import { countReferredUsers } from '#server/database/accounts/users.ts'
import { type ActionRow, listActionsAbout } from '#server/database/books/operator-actions.ts'
import { type BoughtSums, sumBought } from '#server/database/purchases/purchase-records.ts'
import { sumRewards } from '#server/database/purchases/rewards.ts'
import type { Services } from '#server/services.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { getTwoFactor, type TwoFactorState } from '#server/use-cases/access/two-factor.ts'
import { noteOpened } from '#server/use-cases/audit/note-opened.ts'

/** More than anybody reads; their number is counted separately. */
const REFERRED_MAX = 50

/** A buyer, with what was recorded about them apart from their purchases. */
export type PersonRecord = {
  person: PersonRow
  twoFactor: TwoFactorState
  bought: BoughtSums
  earned: TokenAmount
  referrer: PersonRow | null
  referredCount: number
  referred: readonly ReferredRow[]
  sessions: readonly (SessionRow & { device: string })[]
  actions: readonly ActionRow[]
}

/**
 * One user, named by email address or id, even an erased one. The look-up is logged and limited.
 * Refuses with `NotFound` and `TooManyRequests`.
 */
export async function getPerson(
  services: Services,
  name: string,
  operator: Operator,
): Promise<PersonRecord> {
  const { database, clock } = services
  const person = await findByName(services, name)
  const { id } = person
  await noteOpened(services, operator, { userId: id })
  const sessions = await listUserSessions(database, id, clock.now())
  return {
    person,
    twoFactor: await getTwoFactor(services, { userId: id }),
    bought: await sumBought(database, id),
    earned: await sumRewards(database, id),
    referrer: person.referrer_id === null ? null : await findPerson(database, person.referrer_id),
    referredCount: await countReferredUsers(database, id),
    referred: await listReferred(database, id, REFERRED_MAX),
    sessions: sessions.map((session) => ({ ...session, device: deviceName(session.user_agent) })),
    actions: await listActionsAbout(database, 'user_id', id),
  }
}

async function findByName({ database }: Services, name: string): Promise<PersonRow> {
  const email = normalizeEmail(name)
  const [person] = isId(name)
    ? [await findPerson(database, name)]
    : await searchRows(database, { email, id: null }, null, 1)
  if (person !== null && person !== undefined) return person
  throw new Refusal('NotFound', { message: 'There is no user with this email address or id' })
}

export type PeoplePage = { items: readonly PersonRow[]; after: string | null }

/**
 * Everybody who has an account, newest first, or the user with an email address or id; `after` is
 * the id of the first of the next page. Refuses with `InvalidInput` for an unknown cursor.
 */
export async function searchPeople(
  { database }: Services,
  { q, after, limit }: { q?: string | undefined; after?: string | undefined; limit: number },
): Promise<PeoplePage> {
  const start = after === undefined ? null : await findPerson(database, after)
  if (after !== undefined && start === null) throw wrongField('after', 'Must be the id of a user')
  const rows = await searchRows(
    database,
    readName(q),
    start === null ? null : { createdAt: start.created_at, id: start.id },
    limit + 1,
  )
  return { items: rows.slice(0, limit), after: rows[limit]?.id ?? null }
}

function readName(q: string | undefined): { email: string | null; id: string | null } {
  const text = normalizeEmail(q ?? '')
  if (text === '') return { email: null, id: null }
  if (isId(text)) return { email: null, id: text }
  if (text.includes('@')) return { email: text, id: null }
  throw wrongField('q', 'Give a whole email address, or the id of a user')
}
