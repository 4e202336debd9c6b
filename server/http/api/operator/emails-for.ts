import { maskEmail } from '#domain/accounts/account.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** How a buyer's email address is shown. */
export type Emails = (email: string) => string

/** Addresses as they are for who may see people, and masked for everybody else. */
export function emailsFor({ permissions }: Operator): Emails {
  return permissions.includes('people.read') ? (email) => email : maskEmail
}
