import { normalizeEmail } from '#domain/accounts/account.ts'
import type { PageLanguage } from '#domain/language.ts'
import { connectionOf, networkOf } from '#domain/accounts/network.ts'
import { Refusal } from '#domain/refusal.ts'
import { namedStatementsOf } from '#server/database/connection/named-statements.ts'
import { doesEmailExist, findUser, insertUser } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/ports/security.ts'
import { isId } from '#server/use-cases/access/is-id.ts'
import { startSession } from '#server/use-cases/sessions/start-session.ts'
import { loadUserAccount } from '#server/use-cases/access/user-account.ts'

export type Registration = {
  firstName: string
  lastName: string
  email: string
  nationality: string
  password: string
  mobile: string | null
  /** Of the mails. */
  language: PageLanguage
  /** From the referral link; anything but the id of a user is ignored. */
  referredBy: string | null
}

/** Creates an account and logs it in. */
export async function register(services: Services, registration: Registration, client: Client) {
  const { address } = client
  // Each registration mails its address, which may be a stranger's.
  await services.limits.takeInOrder([
    { rule: 'register_by_address', key: connectionOf(address) },
    { rule: 'register_by_network', key: networkOf(address) },
  ])
  const email = normalizeEmail(registration.email)
  if (await doesEmailExist(services.database, email)) await refuseTakenEmail(services, client)

  const passwordHash = await services.passwords.hash(registration.password, client)
  const referrerId = await findReferrerId(services, registration.referredBy)
  const created = await services.database.transaction().execute(async (transaction) => {
    const user = await insertUser(transaction, {
      id: services.random.id(),
      email,
      password_hash: passwordHash,
      first_name: registration.firstName.trim(),
      last_name: registration.lastName.trim(),
      nationality: registration.nationality,
      mobile: registration.mobile,
      language: registration.language,
      referrer_id: referrerId,
      created_at: services.clock.now(),
    })
    if (user === null) return null
    return {
      user,
      tokens: await startSession(
        services,
        namedStatementsOf(transaction),
        { userId: user.id, passwordHash, isProved: false },
        client,
      ),
    }
  })
  if (created === null) return refuseTakenEmail(services, client)
  return { account: await loadUserAccount(services, created.user.id), tokens: created.tokens }
}

/**
 * Limited per connection. It still reveals that the address has an account, since a free one is not
 * refused: only the limits of all registrations bound how many addresses can be asked about. If the
 * attempt were counted before the look-up, somebody with ten taken addresses would keep out all who
 * share their connection.
 */
async function refuseTakenEmail(services: Services, client: Client): Promise<never> {
  await services.limits.take('register_taken_by_address', connectionOf(client.address))
  throw new Refusal('EmailTaken')
}

async function findReferrerId(services: Services, referredBy: string | null) {
  if (referredBy === null || !isId(referredBy)) return null
  const referrer = await findUser(services.database, referredBy)
  return referrer?.id ?? null
}
