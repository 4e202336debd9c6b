import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { translatableTexts } from '#domain/sale/translatable-texts.ts'
import { readSaleFile } from './read-sale-file.ts'

const SHIPPED = join(import.meta.dirname, '../../sales/huh.yaml')
const reading = readSaleFile(SHIPPED, new Date('2026-01-01T00:00:00Z'))

describe('the shipped sale', () => {
  it('says each of its texts in German as well', () => {
    if (!reading.ok) throw new Error('It has faults.')
    const german = reading.sale.translations['de'] ?? {}
    const untold = [...translatableTexts(reading.sale)].filter((text) => !(text in german))
    expect(untold).toEqual([])
  })
})
