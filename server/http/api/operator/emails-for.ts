import { maskEmail } from '#domain/accounts/account.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'

/** How a buyer's email address is shown. */
export type Emails = (email: string) => string

/** Full addresses for operators who may see people, masked ones for everybody else. */
export function emailsFor({ permissions }: Operator): Emails {
  return permissions.includes('people.read') ? (email) => email : maskEmail
}

/** How the buyer of a line is shown. */
export type Owners = (owner: { email: string; firstName: string; lastName: string }) => {
  email: string
  name: string
}

/** Whoever may not see people gets no name either. */
export function ownersFor(operator: Operator): Owners {
  const emails = emailsFor(operator)
  const showsNames = operator.permissions.includes('people.read')
  return ({ email, firstName, lastName }) => ({
    email: emails(email),
    name: showsNames ? `${firstName} ${lastName}` : '',
  })
}
