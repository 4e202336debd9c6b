import type { SessionTokens, User } from '#contract/shapes.ts'
import type { Project } from '#domain/sale/sale.ts'
import type { IssuedTokens } from '#server/use-cases/access/session-tokens.ts'
import type { UserAccount } from '#server/use-cases/access/user-account.ts'
import { instantToWire, tokensToWire, usdToWire } from '#contract/codec.ts'

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
      base: tokensToWire(base, project.decimals),
      bonuses: tokensToWire(bonuses, project.decimals),
      total: tokensToWire(total, project.decimals),
    },
    paid_amount_fiat: usdToWire(user.balances.paid),
    language: user.language,
  }
}

export function presentTokens({ access, refresh }: IssuedTokens): SessionTokens {
  return {
    access: { token: access.token, expires: instantToWire(access.expiresAt) },
    refresh: { token: refresh.token, expires: instantToWire(refresh.expiresAt) },
  }
}
