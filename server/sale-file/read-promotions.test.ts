import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunk, png } from '#tests/kit/builders/a-png.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const base = mkdtempSync(join(tmpdir(), 'promotions-'))
const folder = join(base, 'sale')

beforeAll(() => {
  mkdirSync(join(folder, 'pictures.png'), { recursive: true })
  const right = png(2, 2)
  const files: Record<string, Buffer> = {
    'right.png': right,
    'pictures.png/right.png': right,
    'widest.png': png(4000, 1000),
    'too-wide.png': png(4000, 1001),
    'bomb.png': png(50_000, 50_000, Buffer.alloc(0)),
    'overflow.png': png(0xffffffff, 0xffffffff, Buffer.alloc(0)),
    'no-pixels.png': png(0, 2),
    'page-behind.png': Buffer.concat([right, Buffer.from('<script>alert(1)</script>')]),
    'page-between.png': Buffer.concat([right, Buffer.from('<script>alert(1)</script>'), right]),
    'page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'photo.png': Buffer.from('ffd8ffe000104a464946', 'hex'),
    'cut-off.png': right.subarray(0, -6),
    'headless.png': Buffer.concat([right.subarray(0, 8), chunk('IEND', Buffer.alloc(0))]),
    'drawing.png': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'empty.png': Buffer.alloc(0),
    'heavy.png': Buffer.alloc(1024 * 1024 + 1),
    '../outside.png': right,
  }
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), file)
  symlinkSync(join(base, 'outside.png'), join(folder, 'link.png'))
})
afterAll(() => rmSync(base, { recursive: true }))

function read(promotion: string) {
  return readSaleText(`${SMALL_SALE_FILE}promotions:\n  - ${promotion}\n`, {
    folder,
    firstAppliedAt: new Date('2026-01-01T00:00:00Z'),
  })
}

function faultsOf(promotion: string): string[] {
  const reading = read(promotion)
  if (reading.ok) return []
  return reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

describe('a promotion', () => {
  it('may have a picture for the blue theme, texts, and a page that it leads to', () => {
    const reading = read(
      '{ key: launch, image: right.png, image_blue: widest.png, title: +5%, detail: more, link: /referrals }',
    )
    expect(reading.ok && reading.sale.promotions).toMatchObject([
      {
        image: readFileSync(join(folder, 'right.png')).toString('base64'),
        imageBlue: readFileSync(join(folder, 'widest.png')).toString('base64'),
        title: '+5%',
        detail: 'more',
        linkUrl: '/referrals',
      },
    ])
  })

  it.each(['//evil.example', 'https://pear.example', 'referrals', String.raw`/\evil.example`])(
    'does not lead to %s',
    (link) => {
      expect(faultsOf(JSON.stringify({ key: 'launch', image: 'right.png', link }))).toEqual([
        expect.stringContaining(
          'promotions[0].link: expected a page of the site that begins with /, found',
        ),
      ])
    },
  )

  it('has its picture for the blue theme checked like the other', () => {
    expect(faultsOf('{ key: launch, image: right.png, image_blue: too-wide.png }')).toEqual([
      expect.stringContaining('promotions[0].image_blue: expected the path of a PNG'),
    ])
  })

  it('has its picture as base64, and the purchase it proposes', () => {
    const reading = read(
      '{ key: launch, image: right.png, buy_params: { usd_amount: 99.50, token_id: eth } }',
    )
    expect(reading.ok && reading.sale.promotions).toEqual([
      {
        key: 'launch',
        image: readFileSync(join(folder, 'right.png')).toString('base64'),
        imageBlue: null,
        title: null,
        detail: null,
        linkUrl: null,
        buyParams: { usd_amount: 99.5, token_id: 'eth' },
      },
    ])
  })

  it.each([
    'right.png',
    './right.png',
    'pictures.png/right.png',
    'pictures.png/../right.png',
    'widest.png',
  ])('may show %s', (image) => {
    expect(faultsOf(`{ key: launch, image: ${image} }`)).toEqual([])
  })

  it.each([
    ['none.png', ', which cannot be read'],
    ['pictures.png', ', which is no file'],
    ['../outside.png', ', which is outside'],
    ['pictures.png/../../outside.png', ', which is outside'],
    [join(base, 'outside.png'), ', which is outside'],
    ['link.png', ', which leads outside'],
    ['too-wide.png', ', one of 4000 × 1001 pixels'],
    ['bomb.png', ', one of 50000 × 50000 pixels'],
    ['overflow.png', ', one of 4294967295 × 4294967295 pixels'],
    ['page-behind.png', ', one that is cut off, or that goes on'],
    ['page-between.png', ', one that is cut off, or that goes on'],
    ['page.png', ', a file of another kind'],
    ['photo.png', ', a file of another kind'],
    ['no-pixels.png', ', one of 0 × 2 pixels'],
    ['cut-off.png', ', one that is cut off, or that goes on'],
    ['headless.png', ', one without a header'],
    ['drawing.png', ', a file of another kind'],
    ['empty.png', ', a file of another kind'],
    ['heavy.png', ' of 1048577 bytes'],
  ])('may not show %s', (image, found) => {
    expect(faultsOf(`{ key: launch, image: "${image}" }`)).toEqual([
      '33 promotions[0].image: expected the path of a PNG of at most 1 MiB and 4 megapixels, ' +
        `relative to the sale file and inside its folder, found ${JSON.stringify(image)}${found}`,
    ])
  })

  it.each([
    ['usd_amount: 0', 'usd_amount', 'an amount in dollars: a plain decimal, more than 0'],
    ['usd_amount: 1e3', 'usd_amount', 'an amount in dollars: a plain decimal, more than 0'],
    ['token_id: btc', 'token_id', 'the id of a payment token (eth), found "btc"'],
    ['usd_amount: "javascript:alert(1)"', 'usd_amount', 'an amount in dollars: a plain decimal'],
    [
      'token_id: "//evil.example"',
      'token_id',
      'the id of a payment token (eth), found "//evil.exa',
    ],
    ['redirect: "//evil.example"', 'redirect', 'one of the keys usd_amount, token_id, found "redi'],
    ['colour: red', 'colour', 'one of the keys usd_amount, token_id, found "colour"'],
  ])('may not propose %s', (params, key, expected) => {
    expect(faultsOf(`{ key: launch, image: right.png, buy_params: { ${params} } }`)).toEqual([
      expect.stringContaining(`33 promotions[0].buy_params.${key}: expected ${expected}`),
    ])
  })

  it('has a key of its own', () => {
    const twice = '{ key: launch, image: right.png }'
    expect(faultsOf(`${twice}\n  - ${twice}`)).toEqual([
      '34 promotions[1].key: expected a key of its own, found launch again',
    ])
  })
})
