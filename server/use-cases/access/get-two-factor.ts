import { countRecoveryCodes, findTwoFactor } from '#server/database/accounts/two-factor.ts'
import type { Caller } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

export type TwoFactorState = { isOn: boolean; onSince: Date | null; recoveryCodesLeft: number }

/** Whether the caller logs in with an authenticator app. */
export async function getTwoFactor(
  { database }: Pick<Services, 'database'>,
  { userId }: Pick<Caller, 'userId'>,
): Promise<TwoFactorState> {
  const onSince = (await findTwoFactor(database, userId))?.confirmed_at ?? null
  const recoveryCodesLeft = onSince === null ? 0 : await countRecoveryCodes(database, userId)
  return { isOn: onSince !== null, onSince, recoveryCodesLeft }
}
