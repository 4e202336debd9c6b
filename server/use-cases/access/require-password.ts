import { Refusal, wrongField } from '#domain/refusal.ts'
import type { UserRow } from '#server/database/accounts/users.ts'
import type { Services } from '#server/services.ts'

/**
 * Makes sure that the holder of a session knows the password as well. Refuses with `WrongPassword`,
 * `Busy`, `TooManyRequests`.
 */
export async function requirePassword(
  services: Services,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  password: string,
): Promise<void> {
  const { limits } = services
  await limits.take('password_by_user', user.id)
  await limits.take('password_by_user_and_day', user.id)
  const isRight = await services.passwords.verify(user.password_hash, password)
  if (!isRight) throw new Refusal('WrongPassword')
  await limits.clear('password_by_user', user.id)
  await limits.refund('password_by_user_and_day', user.id)
}

/** A new password that equals the current one is known to everybody who knew that. */
export function samePassword(): Refusal {
  return wrongField('password', 'Choose a password that is not the current one')
}
