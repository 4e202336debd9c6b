import {
  countOperatorCodes,
  findAuthenticator,
  takeAuthenticatorStep,
  takeOperatorCode,
} from '#server/database/operators/factors.ts'
import type { DatabaseTransaction } from '#server/database/tables/tables.ts'
import type { Services } from '#server/services.ts'
import { hashRecoveryCode } from '#server/use-cases/access/two-factor.ts'

const APP_CODE = /^\d{6}$/

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
  const { authenticator, clock, settings } = services
  const now = clock.now()
  if (!APP_CODE.test(code)) {
    const hash = hashRecoveryCode(settings.secretKey, operatorId, code)
    if (!(await takeOperatorCode(transaction, operatorId, hash, now))) return null
    const left = await countOperatorCodes(transaction, operatorId)
    return `a recovery code, ${left} left`
  }
  const app = await findAuthenticator(transaction, operatorId)
  if (app === null || app.confirmed_at === null) return null
  const step = authenticator.stepOf({ userId: operatorId, sealed: app.sealed_secret, code, now })
  if (step === null || !(await takeAuthenticatorStep(transaction, operatorId, step))) return null
  return 'an authenticator app'
}
