import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

function read(text: string) {
  return readSaleText(text, {
    folder: tmpdir(),
    firstAppliedAt: new Date('2026-01-01T00:00:00Z'),
  })
}

function faultsOf(text: string): string[] {
  const reading = read(text)
  return reading.ok
    ? []
    : reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

/** The small sale with texts of each kind. */
const FULL_SALE_FILE = `${changeLine(
  '  links:',
  `  links: { header: { Docs: https://pear.example }, footer: { About us: { Team: https://pear.example } } }
  info: { facts: [{ label: Supply, value: 10 trillion, detail: PEAR }], sections: [{ title: How, paragraphs: [So.] }] }
  papers: [{ title: Audit, url: https://pear.example }]
  questions: [{ question: Why?, answer: Because. }]
  risk: { statement: All is at risk., summary: [Really all.] }
  supply: [{ label: Presale, percentage: 100 }]`,
)}banners: [{ id: a, message: Hello, tone: info, link_url: /info, link_label: Read on }]
`
const TEXTS =
  'Sweet|Soon|Docs|About us|Team|Supply|10 trillion|PEAR|How|So.|Audit|Why?|Because.|' +
  'All is at risk.|Really all.|Presale|First|Hello|Read on'

describe('a translation', () => {
  it('may be of any text that pages show', () => {
    const german = Object.fromEntries(TEXTS.split('|').map((text) => [text, `${text} auf Deutsch`]))
    const reading = read(`${FULL_SALE_FILE}translations: ${JSON.stringify({ de: german })}\n`)
    expect(reading.ok ? reading.sale.translations : reading.faults).toEqual({ de: german })
  })

  it('may be written on several lines, as its text is', () => {
    const reading = read(
      SMALL_SALE_FILE.replace('tagline: Sweet', 'tagline: >-\n    Sweet\n    and sour') +
        'translations:\n  de:\n    ? >-\n      Sweet\n      and sour\n    : >-\n      Süß\n      und sauer\n',
    )
    expect(reading.ok ? reading.sale.translations : reading.faults).toEqual({
      de: { 'Sweet and sour': 'Süß und sauer' },
    })
  })

  it.each(['Sweet.', 'sweet', 'Pear', 'toString', '__proto__'])('is none of %s', (text) => {
    const pair = JSON.stringify(text)
    expect(faultsOf(`${SMALL_SALE_FILE}translations:\n  de:\n    ${pair}: Ja\n`)).toEqual([
      `34 translations.de.${text}: expected a text of this sale file, word for word, found ${pair}`,
    ])
  })

  it('is not looked for while the texts themselves have faults', () => {
    const text = `${changeLine('  tagline: Sweet', '  tagline: []')}translations: { de: { Sweet: Süß } }\n`
    expect(faultsOf(text)).toEqual([
      '6 project.tagline: expected text of 1 to 160 characters, found a list',
    ])
  })
})
