import { API_BASE } from '#contract/endpoint.ts'
import { chartPeriods } from '#contract/sale.ts'
import { purchaseStatuses, transactionStates } from '#domain/settlement/outcome.ts'
import { GROWN_TOKEN_PREFIX } from './grow.ts'

/** Somebody who is logged in, and something of theirs. */
export type Somebody = { number: number; id: string; purchaseId: string; address: string }

export type MeasuredCall = {
  name: string
  as: 'user' | 'operator' | 'nobody'
  path(somebody: Somebody, nth: number): string
}

const user = (name: string, path: MeasuredCall['path']): MeasuredCall => ({
  name,
  as: 'user',
  path,
})
const operator = (name: string, path: MeasuredCall['path']): MeasuredCall => ({
  name,
  as: 'operator',
  path,
})
const nobody = (name: string, path: string): MeasuredCall => ({
  name,
  as: 'nobody',
  path: () => path,
})

/** Every call whose work could grow with what is stored. */
export const measuredCalls: readonly MeasuredCall[] = [
  nobody('stage', '/stages/active'),
  nobody('prices', '/prices'),
  ...chartPeriods.map((period) => nobody(`chart, ${period}`, `/price-chart?period=${period}`)),
  user('me', ({ id }) => `/users/${id}`),
  user('referrals', ({ id }) => `/users/${id}/referrals`),
  user('sessions', ({ id }) => `/users/${id}/sessions`),
  user('a transaction', ({ purchaseId }) => `/transactions/${purchaseId}`),
  user('transactions', ({ id }) => `/users/${id}/transactions`),
  user(
    'transactions before one',
    ({ id, purchaseId }) => `/users/${id}/transactions?after=${purchaseId}`,
  ),
  ...transactionStates.map((state) =>
    user(`transactions, ${state}`, ({ id }) => `/users/${id}/transactions?state=${state}`),
  ),
  operator('status', () => '/operator/status'),
  operator('actions', () => '/operator/actions'),
  operator('refunds', () => '/operator/refunds'),
  operator('refunds, all', () => '/operator/refunds?state=all'),
  operator('purchases', () => '/operator/purchases'),
  operator('purchases after one', ({ purchaseId }) => `/operator/purchases?after=${purchaseId}`),
  ...purchaseStatuses.map((status) =>
    operator(`purchases, ${status}`, () => `/operator/purchases?status=${status}`),
  ),
  operator(
    'purchases by email',
    ({ number }) => `/operator/purchases?q=user-${number}@example.com`,
  ),
  operator(
    'purchases by address',
    ({ address }) => `/operator/purchases?q=${address.toUpperCase()}`,
  ),
  operator('purchases, the largest', () => '/operator/purchases?sort=largest'),
  operator('purchases with money at stake', () => '/operator/purchases?at_stake=true'),
  operator('people', () => '/operator/users'),
  operator('a purchase in full', ({ purchaseId }) => `/operator/purchases/${purchaseId}`),
]

/** An export may be asked for a few times a day by each user. */
export const exportCall = user('own export', ({ id }) => `/users/${id}/export`)

export type Asker = (call: MeasuredCall, nth: number) => Promise<void>

/** Asks a server at this port, each time for somebody else. Throws at any answer but a 200. */
export function createAsker(port: number, token: string, people: readonly Somebody[]): Asker {
  return async ({ as, path }, nth) => {
    const somebody = people[nth % people.length]
    if (somebody === undefined) throw new Error('There is nobody who could ask.')
    const bearer = { user: GROWN_TOKEN_PREFIX + somebody.number, operator: token, nobody: null }[as]
    const reply = await fetch(`http://127.0.0.1:${port}${API_BASE}${path(somebody, nth)}`, {
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        // In a network of its own, so that no limit answers.
        'x-forwarded-for': `10.${(nth >> 8) & 255}.${nth & 255}.1`,
      },
    })
    const text = await reply.text()
    if (reply.status !== 200)
      throw new Error(`${path(somebody, nth)} answered ${reply.status}: ${text}`)
  }
}
