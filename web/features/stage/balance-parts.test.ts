import { expect, test } from 'vitest'

import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { balanceParts } from './balance-parts.ts'

const number = (text: string) => Number(text.replaceAll(',', ''))

test.each([
  [2500.129, 500.129],
  [1239.005, 61.995],
  [600.000019, 599.999989],
  [3000, 0.5],
  [0.0000004, 0.0000008],
  [0, 12.5],
])('%s bought and %s of bonus are shown so that they add up to their total', (base, bonuses) => {
  const total = Number((base + bonuses).toPrecision(15))
  const shown = balanceParts({ base, bonuses, total })
  const sum = number(shown.base) + number(shown.bonuses)
  expect(Number(sum.toPrecision(12))).toBe(number(formatTokens(total)))
})

test('whole amounts have no decimals, and others the same number of them', () => {
  expect(balanceParts({ base: 2500, bonuses: 500, total: 3000 })).toEqual({
    base: '2,500',
    bonuses: '500',
  })
  expect(balanceParts({ base: 2500.129, bonuses: 500.129, total: 3000.258 })).toEqual({
    base: '2,500.12',
    bonuses: '500.13',
  })
})
