import { rowToWire, instantToWire, orNull } from '#contract/codec.ts'
import type {
  OperatorPerson as WirePerson,
  PersonRecord as WireRecord,
} from '#contract/operator/people.ts'
import type { UserState as WireUserState } from '#contract/operator/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import type { PeoplePage, PersonRecord, UserState } from '#server/use-cases/people/people.ts'
import { presentAction } from './present-operations.ts'

type PersonRow = PeoplePage['items'][number]

export function presentUserState({ user, hasTwoFactor }: UserState): WireUserState {
  return {
    id: user.id,
    email: user.email,
    name: `${user.first_name} ${user.last_name}`,
    is_email_verified: user.is_email_verified,
    requires_password_change: user.requires_password_change,
    has_two_factor: hasTwoFactor,
    signup_date: instantToWire(user.created_at),
  }
}

export function presentPerson(row: PersonRow): WirePerson {
  return {
    ...presentUserState({ user: row, hasTwoFactor: row.has_two_factor }),
    purchases: row.purchases,
    credited_usd: formatDecimal(row.credited_usd, USD_DECIMALS),
  }
}

export function presentPersonRecord(
  record: PersonRecord,
  { project }: Pick<Sale, 'project'>,
): WireRecord {
  const { person, twoFactor, bought, referrer } = record
  const tokens = (amount: bigint) => formatDecimal(amount, project.decimals)
  return {
    ...presentPerson(person),
    nationality: person.nationality,
    mobile: person.mobile,
    language: person.language,
    erased_date: orNull(person.erased_at, instantToWire),
    two_factor_date: orNull(twoFactor.onSince, instantToWire),
    recovery_codes_left: twoFactor.recoveryCodesLeft,
    completed_purchases: bought.completed,
    bought_tokens: tokens(bought.base),
    bonus_tokens: tokens(bought.bonuses),
    earned_tokens: tokens(record.earned),
    referred_by: orNull(referrer, presentNamed),
    referred_count: record.referredCount,
    referred: record.referred.map((row) => ({
      ...presentNamed(row),
      signup_date: instantToWire(row.created_at),
      reward: orNull(row.tokens, (earned) => ({
        tokens: tokens(earned),
        is_taken_back: row.status === 'failed',
      })),
    })),
    sessions: record.sessions.map(rowToWire),
    actions: record.actions.map(presentAction),
  }
}

const presentNamed = (row: Pick<PersonRow, 'id' | 'email' | 'first_name' | 'last_name'>) => ({
  id: row.id,
  email: row.email,
  name: `${row.first_name} ${row.last_name}`,
})
