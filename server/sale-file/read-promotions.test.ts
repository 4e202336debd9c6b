import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SMALL_SALE_FILE } from '#tests/kit/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

const base = mkdtempSync(join(tmpdir(), 'promotions-'))
const folder = join(base, 'sale')

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** A grey PNG of one byte a pixel; the header can be made to lie. */
function png(width: number, height: number, header: Partial<Record<number, number>> = {}): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  for (const [at, value] of Object.entries(header)) size[Number(at)] = value ?? 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.alloc(16))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

beforeAll(() => {
  mkdirSync(join(folder, 'pictures.png'), { recursive: true })
  const right = png(2, 2)
  const files: Record<string, Buffer> = {
    'right.png': right,
    'pictures.png/right.png': right,
    'widest.png': png(4000, 1000),
    'too-wide.png': png(4000, 1001),
    'no-pixels.png': png(0, 2),
    'odd-depth.png': png(2, 2, { 8: 3 }),
    'odd-colour.png': png(2, 2, { 9: 5 }),
    'cut-off.png': right.subarray(0, -6),
    'damaged.png': Buffer.from(right).fill(0xff, 20, 22),
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
  it('has its picture as base64, and the purchase it proposes', () => {
    const reading = read(
      '{ key: launch, image: right.png, buy_params: { usd_amount: 99.50, token_id: eth } }',
    )
    expect(reading.ok && reading.sale.promotions).toEqual([
      {
        key: 'launch',
        image: readFileSync(join(folder, 'right.png')).toString('base64'),
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
    ['no-pixels.png', ', one of 0 × 2 pixels'],
    ['odd-depth.png', ', one whose header makes no sense'],
    ['odd-colour.png', ', one whose header makes no sense'],
    ['cut-off.png', ', one that is damaged or cut off'],
    ['damaged.png', ', one that is damaged or cut off'],
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
