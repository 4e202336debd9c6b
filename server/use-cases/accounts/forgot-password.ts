import { normalizeEmail } from '#domain/accounts/account.ts'
import { connectionOf } from '#domain/accounts/network.ts'
import { findUserByEmail } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'
import type { Client } from '#server/use-cases/access/client.ts'
import { mailLink } from './mail-link.ts'

/** Longer than the work takes for an address that has an account, so that time tells nothing. */
const REPLY_AFTER_MS = 150

/**
 * Mails a link to choose a new password where the address has an account; says nothing of whether
 * it has. Refuses with `TooManyRequests` within 60 s of the last request for the same address.
 */
export async function forgotPassword(
  services: Services,
  input: { email: string },
  client: Client,
): Promise<void> {
  const email = normalizeEmail(input.email)
  await services.limits.take('forgot_by_address', connectionOf(client.address))
  await services.limits.take('forgot_cooldown', email)
  await services.limits.take('forgot_by_account', email)
  const passed = new Promise((resolve) => setTimeout(resolve, REPLY_AFTER_MS))
  await Promise.all([passed, mailResetLink(services, email)])
}

async function mailResetLink(services: Services, email: string): Promise<void> {
  const user = await findUserByEmail(services.database, email)
  if (user !== null) await mailLink(services, user.id, 'reset_password')
}
