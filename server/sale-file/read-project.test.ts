import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '#tests/kit/builders/a-png.ts'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'project-'))
const DOT = png(1, 1)

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

  it.each([
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
