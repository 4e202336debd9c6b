import { expect, test } from 'vitest'
import type { OwedRefund } from '#contract/refunds.ts'
import { aWireTransaction } from '#tests/kit/builders/a-wire-transaction.ts'
import { owedIn } from './refund-queries.ts'

const { payment_token: token } = aWireTransaction()
const ETHER = { symbol: 'ETH', chain: 'ERC20' }

const owedFor = (ids: string[], whyNot: OwedRefund['why_not'] = null): OwedRefund => ({
  payment_token: token,
  chain: 'ERC20',
  amount: '0.3',
  fee: '0',
  minimum: '0',
  is_claimable: whyNot === null,
  why_not: whyNot,
  is_address_checked: true,
  transactions: ids.map((id) => ({ transaction_id: id, amount: '0.1', why: 'late' })),
})

test('what is owed for another purchase is not said of this one', () => {
  const owed = [owedFor(['one'], 'in_claim'), owedFor(['two', 'three'])]
  expect(owedIn(owed, 'one', ETHER)?.why_not).toBe('in_claim')
  expect(owedIn(owed, 'three', ETHER)?.why_not).toBeNull()
  expect(owedIn(owed, 'four', ETHER)).toBeUndefined()
  expect(owedIn(owed, 'two', { ...ETHER, chain: 'BSC' })).toBeUndefined()
})

test('what can be claimed comes before what waits for a claim', () => {
  const owed = [owedFor(['one'], 'in_claim'), owedFor(['one'])]
  expect(owedIn(owed, 'one', ETHER)?.is_claimable).toBe(true)
})
