import { maskEmail } from '#domain/accounts/account.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** How a buyer's email address is shown. */
export type Emails = (email: string) => string

/** Full addresses for operators who may see people, masked ones for everybody else. */
export function emailsFor({ permissions }: Operator): Emails {
  return permissions.includes('people.read') ? (email) => email : maskEmail
}
