import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { secret } from '#server/payments/variables.ts'
import { createNowpaymentsWebhook } from './nowpayments-webhook.ts'

const [NEW, OLD] = ['the-new-secret', 'the-old-secret']
const read = createNowpaymentsWebhook([secret(NEW), secret(OLD)])
const BODY = '{"payment_id":1,"payment_extra_ids":[2,3],"fee":{"b":1e-8,"a":0.10}}'

function paymentOf(signed: string, key = NEW) {
  const signature = createHmac('sha512', key).update(signed).digest('hex')
  return read({ 'x-nowpayments-sig': signature }, Buffer.from(BODY))
}

test.each([
  '{"fee":{"a":0.10,"b":1e-8},"payment_extra_ids":[2,3],"payment_id":1}',
  '{"fee":{"a":0.10,"b":1e-8},"payment_extra_ids":{"0":2,"1":3},"payment_id":1}',
  '{"fee":{"a":0.1,"b":1e-8},"payment_extra_ids":[2,3],"payment_id":1}',
  '{"fee":{"a":0.1,"b":1e-8},"payment_extra_ids":{"0":2,"1":3},"payment_id":1}',
])('a webhook may be signed as %s', (signed) => {
  expect(paymentOf(signed)).toMatchObject({ paymentId: '1' })
})

test('the old secret counts while it is being replaced, and no other', () => {
  const signed = '{"fee":{"a":0.10,"b":1e-8},"payment_extra_ids":[2,3],"payment_id":1}'
  expect(paymentOf(signed, OLD)).toMatchObject({ paymentId: '1' })
  expect(paymentOf(signed, 'the-secret-of-a-stranger')).toBeNull()
})
