import { Refusal } from '#domain/refusal.ts'
import type { Client, Try } from '#server/ports/security.ts'
import type { Services } from '#server/services.ts'

/**
 * Compares a password, the attempts at which have just been counted. If it is refused as `Busy`,
 * nothing was guessed, so they are taken back: otherwise a flood of other people's logins would
 * lock an account. False for a wrong password, or if there is no hash.
 */
export async function verifyCounted(
  { limits, passwords }: Services,
  { hash, password }: { hash: string | null; password: string },
  counted: readonly Try[],
  from: Pick<Client, 'address'>,
): Promise<boolean> {
  try {
    return await passwords.verify(hash, password, from)
  } catch (error) {
    if (error instanceof Refusal) await limits.restore({ refunded: counted })
    throw error
  }
}
