import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatDecimal, PERCENTAGE_DECIMALS, USD_DECIMALS } from '#domain/money.ts'
import type { Percentage, Usd } from '#domain/money.ts'
import type { Stage } from '#domain/sale/sale.ts'
import { translatableTexts } from '#domain/sale/translatable-texts.ts'
import { openSaleFile, readSaleFile } from './read-sale-file.ts'

const SHIPPED = join(import.meta.dirname, '../../sales/huh.yaml')
const reading = readSaleFile(SHIPPED, openSaleFile(SHIPPED), new Date('2026-01-01T00:00:00Z'))
if (!reading.ok) throw new Error(JSON.stringify(reading.faults))
const { sale } = reading
const german = sale.translations['de'] ?? {}

/** The numbers in a text, without signs or separators; pages write them the same everywhere. */
const numbersOf = (text: string) => text.replaceAll(',', '').match(/\d+/g) ?? []

const percent = (rate: Percentage) => formatDecimal(rate, PERCENTAGE_DECIMALS)
const dollars = (amount: Usd) => formatDecimal(amount, USD_DECIMALS)

/** The figures in each promotion's text, from the bonuses of a stage. */
const promised: Record<string, (bonuses: Stage['bonuses']) => string[]> = {
  'first-purchase': ({ signup }) => [percent(signup.firstPurchase)],
  'larger-amounts': ({ spending }) => [
    ...spending.slice(-1).map(({ rate }) => percent(rate)),
    ...spending.flatMap(({ rate, from }) => [percent(rate), dollars(from)]),
  ],
  'pay-with-matic': forPayingIn('matic'),
  'pay-with-bnb': forPayingIn('bnb'),
}

function forPayingIn(id: string) {
  return ({ paymentTokens }: Stage['bonuses']) =>
    paymentTokens
      .filter(({ paymentTokenId }) => paymentTokenId === id)
      .map(({ rate }) => percent(rate))
}

describe('the shipped sale', () => {
  it('says each of its texts in German as well', () => {
    const untold = [...translatableTexts(sale)].filter((text) => !Object.hasOwn(german, text))
    expect(untold).toEqual([])
  })

  it('has the same numbers in both languages', () => {
    for (const [text, translation] of Object.entries(german)) {
      expect.soft(numbersOf(translation).toSorted(), text).toEqual(numbersOf(text).toSorted())
    }
  })

  it('releases 1 % at its start, rising to 100 % over five months, to wallets on BSC', () => {
    const { startsAt, shape, tranches } = sale.vesting ?? {}
    expect([startsAt, shape]).toEqual([null, 'linear'])
    expect(tranches?.map((tranche) => [tranche.months, percent(tranche.percentage)])).toEqual([
      [0, '1'],
      ...[1, 2, 3, 4, 5].map((months) => [months, '19.8']),
    ])
    expect(sale.stages.every(({ vesting }) => vesting === null)).toBe(true)
    expect(sale.delivery).toEqual({ chain: 'BSC', chainId: 56, decimals: 18, treasury: null })
  })

  it.each(sale.promotions.map(({ key, title, detail }) => [key, `${title} ${detail}`] as const))(
    'promises with %s what every stage gives: %s',
    (key, text) => {
      for (const { name, bonuses } of sale.stages) {
        expect(numbersOf(text), name).toEqual(promised[key]?.(bonuses))
      }
    },
  )
})
