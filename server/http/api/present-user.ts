import type { SessionTokens, User } from '#contract/shapes.ts'
import { toWireNumber } from '#domain/money.ts'
import type { Project } from '#domain/sale/sale.ts'
import type { IssuedTokens } from '#server/use-cases/access/session-tokens.ts'
import type { UserAccount } from '#server/use-cases/access/user-account.ts'
import { instantToWire } from './to-wire.ts'

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
    signup_date: instantToWire(user.createdAt),
    tokens: {
      base: toWireNumber(base, project.decimals),
      bonuses: toWireNumber(bonuses, project.decimals),
      total: toWireNumber(total, project.decimals),
    },
  }
}

export function presentTokens({ access, refresh }: IssuedTokens): SessionTokens {
  return {
    access: { token: access.token, expires: instantToWire(access.expiresAt) },
    refresh: { token: refresh.token, expires: instantToWire(refresh.expiresAt) },
  }
}
