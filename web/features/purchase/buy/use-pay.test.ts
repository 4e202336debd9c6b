import { expect, it } from 'vitest'
import { createAttempts } from './use-pay.ts'

const wanted = { amount: 1000, tokenId: 'eth' }

it('sends the same order again while the form and its price are nearly unchanged, and only then', () => {
  const attempts = createAttempts()
  const order = attempts.orderFor('crypto 0.4 eth', wanted)
  expect(order).toEqual({ ...wanted, idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(attempts.orderFor('crypto 0.4 eth', { ...wanted, amount: 1010 })).toEqual(order)
  const moved = attempts.orderFor('crypto 0.4 eth', { ...wanted, amount: 1050 })
  expect(moved.amount).toBe(1050)
  expect(moved.idempotencyKey).not.toBe(order.idempotencyKey)
  const other = attempts.orderFor('crypto 0.5 eth', { ...wanted, amount: 1250 })
  expect(other.amount).toBe(1250)
  expect(other.idempotencyKey).not.toBe(order.idempotencyKey)
})

it('sends a new order once the attempt is finished', () => {
  const attempts = createAttempts()
  const { idempotencyKey } = attempts.orderFor('crypto 0.4 eth', wanted)
  attempts.finish()
  const next = attempts.orderFor('crypto 0.4 eth', { ...wanted, amount: 1010 })
  expect(next.amount).toBe(1010)
  expect(next.idempotencyKey).not.toBe(idempotencyKey)
})
