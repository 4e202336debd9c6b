import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { openSaleFile, readSaleFile } from './read-sale-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'presale-tiers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function faultsOf(percentages: readonly number[]): string[] {
  const tiers = percentages.map(
    (percentage, index) => `{ amount: ${(index + 1) * 100}, percentage: ${percentage} }`,
  )
  const path = join(folder, 'sale.yaml')
  const bonuses = `    bonuses: { tiered_fiat: [${tiers.join(', ')}] }\n`
  writeFileSync(path, SMALL_SALE_FILE + bonuses)
  const reading = readSaleFile(path, openSaleFile(path), new Date())
  return reading.ok ? [] : reading.faults.map((fault) => `${fault.path} ${fault.message}`)
}

test('a tier gives no less than the one before it', () => {
  expect(faultsOf([5, 10, 10, 25])).toEqual([])
  expect(faultsOf([5, 10, 9.5])).toEqual([
    'stages[1].bonuses.tiered_fiat[2].percentage expected at least 10, as the tier above gives, ' +
      'found "9.5"',
  ])
})
