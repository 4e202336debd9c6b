import { expect, test } from 'vitest'
import { withdrawalEnd } from './withdrawal.ts'

test.each([
  [
    'the day of the purchase does not count',
    '2026-11-23T00:00:00Z',
    14,
    '2026-12-08T00:00:00.000Z',
  ],
  ['its hour makes no difference', '2026-11-23T23:59:59Z', 14, '2026-12-08T00:00:00.000Z'],
  ['a Saturday is followed by Monday', '2026-11-21T12:00:00Z', 14, '2026-12-08T00:00:00.000Z'],
  ['a Sunday as well', '2026-11-22T12:00:00Z', 14, '2026-12-08T00:00:00.000Z'],
  ['a Friday ends as it is', '2026-11-20T12:00:00Z', 14, '2026-12-05T00:00:00.000Z'],
])('%s', (_what, createdAt, days, end) => {
  expect(withdrawalEnd(new Date(createdAt), days).toISOString()).toBe(end)
})
