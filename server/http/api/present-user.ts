import type { SessionTokens, User } from '#contract/shapes.ts'
import type { Project } from '#domain/sale/sale.ts'
import type { IssuedTokens } from '#server/use-cases/access/session-tokens.ts'
import type { StoredAccount } from '#server/use-cases/access/user-account.ts'
import { instantToWire, tokensToWire, usdToWire } from '#contract/codec.ts'

export function presentUser({ user, balances }: StoredAccount, project: Project): User {
  const { base, bonuses, total, paid } = balances
  return {
    id: user.id,
    first_name: user.first_name,
    last_name: user.last_name,
    nationality: user.nationality,
    mobile: user.mobile,
    email: user.email,
    is_email_verified: user.is_email_verified,
    signup_date: instantToWire(user.created_at),
    tokens: {
      base: tokensToWire(base, project.decimals),
      bonuses: tokensToWire(bonuses, project.decimals),
      total: tokensToWire(total, project.decimals),
    },
    paid_amount_fiat: usdToWire(paid),
    language: user.language,
  }
}

export function presentTokens({ access, refresh }: IssuedTokens): SessionTokens {
  return {
    access: { token: access.token, expires: instantToWire(access.expiresAt) },
    refresh: { token: refresh.token, expires: instantToWire(refresh.expiresAt) },
  }
}
