import type { SessionTokens, User } from '#contract/shapes.ts'
import { toWireNumber } from '#domain/money.ts'
import type { Project } from '#domain/sale.ts'
import type { IssuedTokens } from '#server/use-cases/session-tokens.ts'
import type { UserAccount } from '#server/use-cases/user-account.ts'

export function presentUser(user: UserAccount, project: Project): User {
  const { base, bonuses, total } = user.balances
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    nationality: user.nationality,
    mobile: user.mobile,
    email: user.email,
    is_email_verified: user.isEmailVerified,
    signup_date: user.createdAt.toISOString(),
    tokens: {
      base: toWireNumber(base, project.decimals),
      bonuses: toWireNumber(bonuses, project.decimals),
      total: toWireNumber(total, project.decimals),
    },
  }
}

export function presentTokens({ access, refresh }: IssuedTokens): SessionTokens {
  return {
    access: { token: access.token, expires: access.expiresAt.toISOString() },
    refresh: { token: refresh.token, expires: refresh.expiresAt.toISOString() },
  }
}
