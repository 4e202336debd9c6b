import {
  countRecoveryCodes,
  findTwoFactor,
  takeRecoveryCode,
  takeStep,
} from '#server/database/accounts/two-factor.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { hashRecoveryCode, isAppCode, stepOfCode } from '#server/use-cases/access/two-factor.ts'

/**
 * Uses up a code from an operator's authenticator app, or a recovery code, and says in words which
 * it was. Null if it is wrong or was used before.
 */
export async function useOperatorCode(
  services: Services,
  transaction: DatabaseTransaction,
  operatorId: string,
  code: string,
): Promise<string | null> {
  if (!isAppCode(code)) {
    const hash = hashRecoveryCode(services.settings.secretKey, operatorId, code)
    const now = services.clock.now()
    if (!(await takeRecoveryCode(transaction, operatorId, hash, now))) return null
    return `a recovery code, ${await countRecoveryCodes(transaction, operatorId)} left`
  }
  const app = await findTwoFactor(transaction, operatorId)
  const step = app && stepOfCode(services, app, code)
  if (step === null || !(await takeStep(transaction, operatorId, step))) return null
  return 'an authenticator app'
}
