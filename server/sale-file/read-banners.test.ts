import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { readSaleText } from './read-sale-file.ts'

function read(banner: Record<string, unknown>) {
  return readSaleText(`${SMALL_SALE_FILE}banners:\n  - ${JSON.stringify(banner)}\n`, {
    folder: tmpdir(),
    firstAppliedAt: new Date('2026-01-01T00:00:00Z'),
  })
}

const right = { id: 'welcome', message: 'Hello', tone: 'info' }
const linked = (link_url: string) => ({ ...right, link_url, link_label: 'Go' })

describe('a banner', () => {
  it.each(['/info', '/buy?usd_amount=5', 'https://pear.example/news', 'http://localhost:3000/x'])(
    'may lead to %s',
    (address) => {
      const reading = read(linked(address))
      expect(reading.ok && reading.sale.banners[0]?.linkUrl).toBe(address)
    },
  )

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    '/a\nb',
    'http://evil.example',
    'https://name:secret@evil.example',
    'https://',
    'info',
    '',
  ])('may not lead to %j', (address) => {
    const reading = read(linked(address))
    expect(reading.ok ? [] : reading.faults.map(({ path }) => path)).toContain(
      'banners[0].link_url',
    )
  })

  it('may have 500 characters, and no more', () => {
    expect(read({ ...right, message: 'x'.repeat(500) }).ok).toBe(true)
    for (const length of [501, 10_000]) {
      const reading = read({ ...right, message: 'x'.repeat(length) })
      expect(reading.ok ? [] : reading.faults).toMatchObject([
        {
          line: 33,
          path: 'banners[0].message',
          message: expect.stringContaining('expected text of 1 to 500 characters, found "xxx'),
        },
      ])
    }
  })

  it.each([
    [undefined, ['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED']],
    ['ACTIVE', ['ACTIVE']],
    [
      ['PAUSED', 'ACTIVE'],
      ['PAUSED', 'ACTIVE'],
    ],
  ])('with while: %j is shown while the sale is %j', (given, expected) => {
    const reading = read(given === undefined ? right : { ...right, while: given })
    expect(reading.ok && reading.sale.banners[0]?.shownWhile).toEqual(expected)
  })

  it('is text: markup in it is kept as it was written', () => {
    const message = '<img src=x onerror=alert(1)> & more'
    const reading = read({ ...right, message })
    expect(reading.ok && reading.sale.banners[0]?.message).toBe(message)
  })
})
