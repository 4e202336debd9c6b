import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '#tests/kit/builders/a-png.ts'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'project-'))
const DOT = png(1, 1)
const CHECKSUMMED = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

beforeAll(() => {
  writeFileSync(join(folder, 'dot.png'), DOT)
  writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  return readSaleText(text, { folder, firstAppliedAt: new Date('2026-01-01T00:00:00Z') })
}

/** The small sale with one more field of its project. */
function withField(field: string) {
  return read(changeLine('  tagline: Sweet', `  tagline: Sweet\n  ${field}`))
}

function faultsOf(field: string): string[] {
  const reading = withField(field)
  return reading.ok
    ? []
    : reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

describe('a project', () => {
  it('may be without pictures, contact, processors and words about itself', () => {
    const reading = read(SMALL_SALE_FILE)
    expect(reading.ok && reading.sale.project).toMatchObject({
      contactEmail: null,
      processors: [],
      pictures: { logo: null, icon: null, socialPreview: null },
      info: null,
      seller: null,
      contract: null,
      papers: [],
      questions: [],
      risk: null,
      supply: [],
    })
  })

  it('has each of its pictures as base64', () => {
    const reading = withField('pictures: { logo: dot.png, icon: dot.png, social_preview: dot.png }')
    const picture = DOT.toString('base64')
    expect(reading.ok && reading.sale.project.pictures).toEqual({
      logo: picture,
      icon: picture,
      socialPreview: picture,
    })
  })

  it('says of itself what its file says', () => {
    const reading = withField(
      'info: { facts: [{ label: Supply, value: 35%, detail: Burned }, { label: Vesting, value: 5 months }], ' +
        'sections: [{ title: Why, paragraphs: [One., Two.] }] }',
    )
    expect(reading.ok && reading.sale.project.info).toEqual({
      facts: [
        { label: 'Supply', value: '35%', detail: 'Burned' },
        { label: 'Vesting', value: '5 months', detail: null },
      ],
      sections: [{ title: 'Why', paragraphs: ['One.', 'Two.'] }],
    })
  })

  it('tells who sells, under which contract, and what is written of it', () => {
    const reading = withField(
      'seller: { name: Pear Ltd, place: "Zug, Switzerland", registration: CHE-1 }\n' +
        `  contract: { chain: ETH, address: '${CHECKSUMMED}', explorer_url: https://scan.example/x }\n` +
        '  papers: [{ title: Audit, url: https://pear.example/audit, date: 2022-07-01 }, ' +
        '{ title: Paper, url: https://pear.example/paper }]\n' +
        '  questions: [{ question: Why?, answer: Because. }]\n' +
        '  risk: { statement: You can lose it., summary: [All of it., At once.] }',
    )
    expect(reading.ok ? reading.sale.project : reading.faults).toMatchObject({
      seller: { name: 'Pear Ltd', place: 'Zug, Switzerland', registration: 'CHE-1' },
      contract: { chain: 'ERC20', address: CHECKSUMMED, explorerUrl: 'https://scan.example/x' },
      papers: [
        { title: 'Audit', url: 'https://pear.example/audit', date: '2022-07-01' },
        { title: 'Paper', url: 'https://pear.example/paper', date: null },
      ],
      questions: [{ question: 'Why?', answer: 'Because.' }],
      risk: { statement: 'You can lose it.', summary: ['All of it.', 'At once.'] },
    })
  })

  it('tells where its supply goes, to the last ten-thousandth of a percent', () => {
    const reading = withField(
      'supply: [{ label: A, percentage: 33.3333 }, { label: B, percentage: 66.6667 }]',
    )
    expect(reading.ok && reading.sale.project.supply).toEqual([
      { label: 'A', share: 333_333n },
      { label: 'B', share: 666_667n },
    ])
  })

  it('may have a contract on a chain whose addresses are unknown here', () => {
    const reading = withField('contract: { chain: Solana, address: So11111111111111111111112 }')
    expect(reading.ok && reading.sale.project.contract).toEqual({
      chain: 'Solana',
      address: 'So11111111111111111111112',
      explorerUrl: null,
    })
  })

  it.each([
    ['seller: { name: Pear Ltd }', 'seller.place', 'text of 1 to 120 characters, found nothing'],
    ['seller: Pear Ltd', 'seller', 'expected a map with name, place'],
    ['contract: { chain: BSC }', 'contract.address', 'text of 1 to 128 characters, found nothing'],
    [
      `contract: { chain: BSC, address: '${CHECKSUMMED.replace('D', 'd')}' }`,
      'contract.address',
      'each letter in its right case',
    ],
    [
      `contract: { chain: My chain, address: '${CHECKSUMMED.replace('D', 'd')}' }`,
      'contract.address',
      'each letter in its right case',
    ],
    ['contract: { chain: BTC, address: abc }', 'contract.chain', 'a chain that knows contracts'],
    [
      `contract: { chain: BSC, address: '${CHECKSUMMED}', explorer_url: scan.example }`,
      'contract.explorer_url',
      'a link that begins with https://',
    ],
    [
      'papers: [{ title: A, url: https://pear.example, date: 2022-02-30 }]',
      'papers[0].date',
      'expected a day such as 2022-07-01, found "2022-02-30"',
    ],
    [
      'papers: [{ title: A, url: https://pear.example, date: 2022-07-01T00:00Z }]',
      'papers[0].date',
      'expected a day such as 2022-07-01',
    ],
    ['papers: [{ title: A, url: /audit }]', 'papers[0].url', 'a link that begins with https://'],
    ['questions: [{ question: Why? }]', 'questions[0].answer', 'text of 1 to 2000 characters'],
    ['risk: { statement: All. }', 'risk.summary', 'a list of 1 to 12 points, found nothing'],
    [
      'supply: [{ label: A, percentage: 35 }, { label: B, percentage: 64.9999 }]',
      'supply',
      'expected shares of exactly 100 % in all, found 99.9999 %',
    ],
    [
      'supply: [{ label: A, percentage: 101 }]',
      'supply[0].percentage',
      'expected a percentage from 0 to 100, found "101"',
    ],
    ['pictures: { logo: logo.svg }', 'pictures.logo', 'found "logo.svg", a file of another kind'],
    ['pictures: { logo: ../dot.png }', 'pictures.logo', 'found "../dot.png", which is outside'],
    ['pictures: { banner: dot.png }', 'pictures.banner', 'logo, icon, social_preview'],
    ['contact_email: nobody', 'contact_email', 'expected an e-mail address, found "nobody"'],
    ['processors: [{ name: Mail Ltd }]', 'processors[0].purpose', 'text of 1 to 200 characters'],
    ['info: { facts: [{ label: A }] }', 'info.facts[0].value', 'text of 1 to 40 characters'],
    [
      'info: { sections: [{ title: A, paragraphs: [] }] }',
      'info.sections[0].paragraphs',
      'expected a list of 1 to 20 paragraphs, found 0 entries',
    ],
    [
      `info: { sections: [{ title: A, paragraphs: [${'x'.repeat(10_000)}] }] }`,
      'info.sections[0].paragraphs[0]',
      'text of 1 to 2000 characters',
    ],
  ])('is refused with %s', (field, path, found) => {
    expect(faultsOf(field)).toEqual([expect.stringContaining(`7 project.${path}: `)])
    expect(faultsOf(field)[0]).toContain(found)
  })
})
