import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { formatDecimal, PRICE_DECIMALS, USD_DECIMALS } from '#domain/money.ts'
import { changeLine, SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'
import { formatFaults, openSaleFile, readSaleFile, readSaleText } from './read-sale-file.ts'

const FIRST_APPLIED_AT = new Date('2026-01-01T00:00:00Z')
const SHIPPED = join(import.meta.dirname, '../../sales/huh.yaml')

function read(text: string) {
  return readSaleText(text, { folder: tmpdir(), firstAppliedAt: FIRST_APPLIED_AT })
}

function saleOf(text: string) {
  const reading = read(text)
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults, null, 2))
  return reading.sale
}

/** The faults as `line path: message`. */
function faultsOf(text: string): string[] {
  const reading = read(text)
  if (reading.ok) return []
  return reading.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
}

describe('a right sale file', () => {
  it('is the shipped one', () => {
    const reading = readSaleFile(SHIPPED, openSaleFile(SHIPPED), FIRST_APPLIED_AT)
    expect(reading.ok ? [] : reading.faults).toEqual([])
  })

  it('has its durations counted from when the sale was first applied', () => {
    const [first, second] = saleOf(SMALL_SALE_FILE).stages
    expect(first?.startsAt).toEqual(FIRST_APPLIED_AT)
    expect(first?.endsAt).toEqual(new Date('2026-01-31T00:00:00Z'))
    expect(second?.startsAt).toEqual(new Date('2026-01-31T00:00:00Z'))
    expect(second?.endsAt).toBeNull()
  })

  it('names the dates that are durations, and no instants', () => {
    const countedDates = (text: string) => {
      const reading = read(text)
      return reading.ok ? reading.countedDates : reading.faults
    }
    expect(countedDates(SMALL_SALE_FILE)).toEqual([
      'stages[0].start_date',
      'stages[0].end_date',
      'stages[1].start_date',
    ])
    const fixed = SMALL_SALE_FILE.replaceAll('P30D', '2026-01-31T00:00:00Z')
    expect(countedDates(fixed)).toEqual(['stages[0].start_date'])
    const week = 'start_date: P0D, end_date: 2026-01-08T00:00:00Z, percentage: 5'
    const banner = 'id: hello, message: Hello, tone: info, starts_date: 2026-01-08T00:00:00Z'
    const others = fixed
      .replace(
        'start_date: P0D',
        `start_date: 2026-01-01T00:00:00Z\n    bonuses: { limited_time: { ${week} } }`,
      )
      .concat(`banners: [{ ${banner}, ends_date: P30D }]\n`)
      .concat('vesting: { first_percentage: 1, months: 5, starts: P60D }\n')
    expect(countedDates(others)).toEqual([
      'stages[0].bonuses.limited_time.start_date',
      'banners[0].ends_date',
      'vesting.starts',
    ])
  })

  it.each([
    ['{ chain: BEP-20, chain_id: 56 }', { chain: 'BSC', chainId: 56, decimals: 6, treasury: null }],
    [
      '{ chain: Base, chain_id: 8453, decimals: 0, treasury: "0x52908400098527886E0F7030069857D2E4169EE7" }',
      {
        chain: 'Base',
        chainId: 8453,
        decimals: 0,
        treasury: '0x52908400098527886E0F7030069857D2E4169EE7',
      },
    ],
  ])('may be delivered by %s', (given, expected) => {
    expect(saleOf(`${SMALL_SALE_FILE}delivery: ${given}\n`).delivery).toEqual(expected)
  })

  it('has amounts in base units, and numbers its stages', () => {
    const sale = saleOf(SMALL_SALE_FILE)
    expect(sale.stages).toMatchObject([
      {
        id: 'stage-1',
        tokenPrice: 500_000_000_000n,
        finalTokenPrice: 500_000_000_000n,
        supply: 1_000_000_000n,
        tokenDecimals: 6,
      },
      { id: 'stage-2', finalTokenPrice: 1_250_000_000_000n, supply: 2_000_000_000n },
    ])
    expect(sale.paymentTokens).toMatchObject([
      { chain: 'ERC20', minUsd: 10_000_000n, rail: 'sandbox', providerIds: { sandbox: 'eth' } },
    ])
  })

  it('may leave out what has a default', () => {
    expect(saleOf(SMALL_SALE_FILE)).toMatchObject({
      accounts: { requireVerifiedEmail: false },
      purchases: {
        expireAfterMs: 30 * 60 * 1000,
        openPerUserMax: 10,
        openWorthPerUser: null,
        openWorthPerConnection: null,
        unpaidShare: 1_000_000n,
      },
      finalPrice: null,
      promotions: [],
      banners: [],
      vesting: null,
      delivery: null,
      translations: {},
    })
    expect(saleOf(SMALL_SALE_FILE).stages[0]).toMatchObject({
      minUsd: null,
      maxUsd: null,
      bonuses: {
        base: 0n,
        spending: [],
        paymentTokens: [],
        limitedTime: null,
        signup: { firstPurchase: 0n, limitedTime: null },
        referrals: { earn: 0n, spend: 0n },
      },
    })
  })

  it('asks for a verified e-mail only if it says so, also where payments are real', () => {
    const real = changeLine(
      '    payment_provider_ids:',
      '    payment_provider_ids: { evm: eth }\n    chain_id: 1',
    )
    const asks = (text: string) => saleOf(text).accounts.requireVerifiedEmail
    expect(asks(real)).toBe(false)
    expect(asks(`${real}accounts: {}\n`)).toBe(false)
    expect(asks(`${real}accounts: { require_verified_email: true }\n`)).toBe(true)
  })

  it('may bound what is reserved and not paid', () => {
    const rules =
      '{ open_worth_per_user: 500, open_worth_per_connection: 5000, unpaid_share: 33.5 }'
    expect(saleOf(`${SMALL_SALE_FILE}purchases: ${rules}\n`).purchases).toMatchObject({
      openPerUserMax: 10,
      openWorthPerUser: 500_000_000n,
      openWorthPerConnection: 5_000_000_000n,
      unpaidShare: 335_000n,
    })
  })

  it('may say the same by an empty value or null', () => {
    const text = changeLine('    end_date: P30D', '    end_date: null\n    bonuses:')
    expect(saleOf(text).stages[0]?.endsAt).toBeNull()
  })

  it('may use anchors and aliases', () => {
    const text = SMALL_SALE_FILE.replace('token_price: 0.75', 'token_price: *price').replace(
      'token_price: 0.5',
      'token_price: &price 0.5',
    )
    expect(saleOf(text).stages[1]?.tokenPrice).toBe(500_000_000_000n)
  })

  it('has banners that link to a page, and promotions without a purchase', () => {
    const sale = saleOf(`${SMALL_SALE_FILE}banners:
  - { id: hello, message: "  Hello ", tone: info, link_url: /info, link_label: More, dismissible: false, starts_date: -P1D }
`)
    expect(sale.banners).toEqual([
      {
        id: 'hello',
        message: 'Hello',
        tone: 'info',
        linkUrl: '/info',
        linkLabel: 'More',
        isDismissible: false,
        startsAt: new Date('2025-12-31T00:00:00Z'),
        endsAt: null,
        shownWhile: ['NOT_STARTED', 'ACTIVE', 'PAUSED', 'ENDED'],
      },
    ])
  })

  it('keeps every digit of an amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 24n - 1n }),
        fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
        (price, minimum) => {
          const text = changeLine(
            '    token_price: 0.5',
            `    token_price: ${formatDecimal(price, PRICE_DECIMALS)}\n` +
              `    min_fiat_amount: ${formatDecimal(minimum, USD_DECIMALS)}`,
          )
          const [stage] = saleOf(text).stages
          expect(stage?.tokenPrice).toBe(price)
          expect(stage?.minUsd).toBe(minimum)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a wrong file', () => {
  it('is told every fault at once, in the order of its lines', () => {
    const text = SMALL_SALE_FILE.replace('decimals: 6', 'decimals: six')
      .replace('id: eth', 'id: ""')
      .replace('token_price: 0.5', 'token_price: cheap')
      .replace('end_date: P30D', 'end_date: P0D')
      .replace('start_date: P30D', 'start_date: never')
    expect(faultsOf(text).map((fault) => fault.split(':')[0])).toEqual([
      '4 project.decimals',
      '11 payment_tokens[0].id',
      '22 stages[0].token_price',
      '25 stages[0].end_date',
      '31 stages[1].start_date',
    ])
  })

  it('is told a fault inside an anchor at its own line and wherever it is used', () => {
    const text = changeLine(
      '    end_date: P30D',
      '    bonuses: &bonuses\n      base_percentage: lots',
    ).replace('    start_date: P30D', '    start_date: P30D\n    bonuses: *bonuses')
    expect(faultsOf(text).map((fault) => fault.split(':')[0])).toEqual([
      '26 stages[0].bonuses.base_percentage',
      '33 stages[1].bonuses.base_percentage',
    ])
  })

  it('is printed with its faults, a line for each', () => {
    const reading = read(changeLine('  decimals: 6', '  decimals: six\n  --- : none'))
    expect(formatFaults('pear.yaml', reading.ok ? [] : reading.faults)).toBe(
      `The sale file pear.yaml has 2 faults. Nothing of it was applied.
pear.yaml:4:13 project.decimals: expected a whole number from 0 to 36, found "six"
pear.yaml:5:3 project.---: expected one of the keys name, symbol, decimals, main_site_url, tagline, launch_notice, copyright_year, links, contact_email, processors, pictures, info, seller, contract, papers, questions, risk, supply, found "---"`,
    )
  })

  it('tells the column too', () => {
    const reading = read(changeLine('  decimals: 6', '  decimals:   six'))
    expect(reading.ok ? [] : reading.faults).toMatchObject([{ line: 4, column: 15 }])
  })

  it.each([
    ['is empty', '', '1 : expected a map with project, payment_tokens and stages, found nothing'],
    [
      'is a list',
      '- a',
      '1 : expected a map with project, payment_tokens and stages, found a list',
    ],
    [
      'refers to itself',
      '&sale [*sale]',
      '1 : expected a map with project, payment_tokens and stages, found a list',
    ],
    [
      'is nested without end',
      '['.repeat(100_000),
      '1 : expected at most 64 levels of nesting, found more in line 1',
    ],
    [
      'hides its depth in lines',
      '[\n'.repeat(100),
      '1 : expected at most 64 levels of nesting, found more in line 65',
    ],
    [
      'nests lists in one line',
      '- '.repeat(100),
      '1 : expected at most 64 levels of nesting, found more in line 1',
    ],
  ])('%s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })

  it('names no payment token as the ledger names the sale’s own', () => {
    const id = 'token'
    expect(faultsOf(SMALL_SALE_FILE.replace('id: eth', `id: ${id}`))).toEqual([
      `11 payment_tokens[0].id: expected another id than token, which the ledger uses itself, found "${id}"`,
    ])
  })

  it('does not mix the sandbox with real rails, nor two prices for one symbol', () => {
    const second = SMALL_SALE_FILE.slice(
      SMALL_SALE_FILE.indexOf('  - id: eth'),
      SMALL_SALE_FILE.indexOf('stages:'),
    )
      .replace('id: eth', 'id: eth-two')
      .replace('2500', '2600')
      .replace('sandbox: eth', 'nowpayments: eth')
    expect(faultsOf(SMALL_SALE_FILE.replace('stages:', `${second}stages:`))).toEqual([
      '25 payment_tokens[1].fixed_price: expected 2500, the price of ETH above, found "2600"',
      '26 payment_tokens[1].payment_provider_ids: expected the rail sandbox, since sandbox and real rails do not mix, found nowpayments',
    ])
  })

  it('has at most a hundred stages', () => {
    const stage = SMALL_SALE_FILE.slice(SMALL_SALE_FILE.indexOf('  - name: Second'))
    expect(faultsOf(SMALL_SALE_FILE + stage.repeat(99))).toEqual([
      '20 stages: expected a list of 1 to 100 stages, found 101 entries',
    ])
  })
})

describe('a file that cannot be used at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sale-file-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  function faultOf(path: string): string {
    const reading = readSaleFile(path, openSaleFile(path), FIRST_APPLIED_AT)
    return reading.ok ? '' : reading.faults.map(({ message }) => message).join('\n')
  }

  it('is missing', () => {
    expect(faultOf(join(folder, 'none.yaml'))).toContain('found one that cannot be read (ENOENT')
  })

  it('is a folder', () => {
    expect(faultOf(folder)).toContain('found something that is no file')
  })

  it('is larger than 1 MiB', () => {
    writeFileSync(join(folder, 'large.yaml'), '#'.repeat(1024 * 1024 + 1))
    expect(faultOf(join(folder, 'large.yaml'))).toBe(
      'expected a YAML file of at most 1 MiB in UTF-8, found one of 1048577 bytes',
    )
  })

  it('is no UTF-8', () => {
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from([0x61, 0x3a, 0x20, 0xe9]))
    expect(faultOf(join(folder, 'latin.yaml'))).toContain('not valid for encoding utf-8')
  })
})
