import { describe, expect, it } from 'vitest'
import {
  aBanner,
  aPaymentToken,
  aProject,
  aPromotion,
  aSale,
  aStage,
  dollars,
  minute,
  percent,
  priced,
  progress,
  someBonuses,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'
import { describeSale } from './describe-sale.ts'
import type { ReleaseSchedule } from '#domain/sale/offer.ts'
import { AT_ONCE, linearSchedule, releaseSchedule } from '#domain/sale/release-schedule.ts'
import { changeText, planSale, type SaleHistory } from './sale-changes.ts'
import type { Sale } from '#domain/sale/sale.ts'

const UNTOUCHED: SaleHistory = {
  progress: new Map(),
  stageIds: new Set(),
  paymentTokenIds: new Set(),
  hasWallets: false,
  hasStreams: false,
  hasEnded: false,
}

/** Stage 1 has sold 90 tokens and holds 10, paid in ETH. */
const SOLD: SaleHistory = {
  progress: new Map([['stage-1', progress('90', '10')]]),
  stageIds: new Set(['stage-1']),
  paymentTokenIds: new Set(['eth']),
  hasWallets: true,
  hasStreams: false,
  hasEnded: false,
}

/** As the database returns it: the description went through JSON. */
function stored(sale: Sale) {
  return JSON.parse(JSON.stringify(describeSale(sale))) as ReturnType<typeof describeSale>
}

function changes(from: Sale, to: Sale, history = UNTOUCHED): readonly string[] {
  const plan = planSale(stored(from), to, history)
  if (!plan.ok) throw new Error(JSON.stringify(plan.faults))
  return plan.changes.map(changeText)
}

function faultPaths(from: Sale, to: Sale, history = SOLD): string[] {
  const plan = planSale(stored(from), to, history)
  return plan.ok ? [] : plan.faults.map(({ path }) => path)
}

describe('what a changed sale changes', () => {
  it('is nothing where it is the same', () => {
    expect(changes(aSale(), aSale())).toEqual([])
    expect(changes(aSale(), aSale(), SOLD)).toEqual([])
  })

  it.each<[string, Partial<Sale>, string[]]>([
    [
      'a stage’s price',
      { stages: [aStage({ tokenPrice: priced('0.00025') })] },
      [
        'stage-1 "Stage 1": token_price 0.1 → 0.00025',
        'stage-1 "Stage 1": final_token_price 0.1 → 0.00025',
      ],
    ],
    [
      'a stage’s limits and dates',
      { stages: [aStage({ minUsd: dollars('10.5'), endsAt: minute(60) })] },
      [
        'stage-1 "Stage 1": end_date none → 2030-01-01T01:00:00.000Z',
        'stage-1 "Stage 1": min_fiat_amount none → $10.5',
      ],
    ],
    [
      'bonuses',
      {
        stages: [
          aStage({
            bonuses: someBonuses({
              base: percent('2.5'),
              spending: [{ from: dollars('100'), rate: percent('5') }],
              paymentTokens: [{ paymentTokenId: 'eth', rate: percent('1') }],
              limitedTime: { startsAt: minute(0), endsAt: minute(1), rate: percent('3') },
              signup: {
                firstPurchase: percent('4'),
                limitedTime: { minutesAfterSignup: 60, rate: percent('6') },
              },
              referrals: { earn: dollars('5'), spend: dollars('50') },
            }),
          }),
        ],
      },
      [
        'stage-1 "Stage 1": bonuses.base_percentage 0 % → 2.5 %',
        'stage-1 "Stage 1": bonuses.tiered_fiat none → 5 % from $100',
        'stage-1 "Stage 1": bonuses.payment_tokens none → 1 % for eth',
        'stage-1 "Stage 1": bonuses.limited_time none → ' +
          '3 % from 2030-01-01T00:00:00.000Z to 2030-01-01T00:01:00.000Z',
        'stage-1 "Stage 1": bonuses.signup.first_purchase_percentage 0 % → 4 %',
        'stage-1 "Stage 1": bonuses.signup.limited_time none → 6 % within 60 minutes',
        'stage-1 "Stage 1": bonuses.referrals $0 for $0 spent → $5 for $50 spent',
      ],
    ],
    [
      'the order of payment tokens, of which the first is proposed to buyers',
      { paymentTokens: [aPaymentToken({ id: 'btc', symbol: 'BTC' }), aPaymentToken()] },
      ['sale: payment_tokens eth → btc, eth', 'payment token btc: added'],
    ],
    [
      'a promotion and a banner',
      {
        promotions: [aPromotion({ buyParams: { usd_amount: 5 } })],
        banners: [aBanner()],
      },
      [
        'sale: promotions none → launch',
        'sale: banners none → hello',
        'promotion launch: added',
        'banner hello: added',
      ],
    ],
    [
      'the rules of the sale',
      {
        finalPrice: priced('0.2'),
        purchases: { ...aSale().purchases, expireAfterMs: 5_400_000 },
      },
      ['sale: final_price none → 0.2', 'sale: expire_after_minutes 30 → 90'],
    ],
  ])('is reported in plain English: %s', (_what, change, expected) => {
    expect(changes(aSale(), aSale(change))).toEqual(expected)
  })

  it.each<[string, Partial<Sale>, string[]]>([
    [
      'who sells and the contract',
      {
        project: aProject({
          seller: { name: 'Pear Ltd', place: 'Zug', registration: 'CHE-1' },
          contract: { chain: 'BSC', address: '0x12', explorerUrl: null },
        }),
      },
      [
        'project: seller none → Pear Ltd, Zug (CHE-1)',
        'project: contract none → 0x12 on BSC (none)',
      ],
    ],
    [
      'papers and where the supply goes',
      {
        project: aProject({
          papers: [{ title: 'Audit', url: 'https://pear.example/a', date: '2022-07-01' }],
          supply: [
            { label: 'Presale', share: percent('35') },
            { label: 'Rest', share: percent('65') },
          ],
        }),
      },
      [
        'project: papers none → Audit https://pear.example/a (2022-07-01)',
        'project: supply none → Presale 35 %, Rest 65 %',
      ],
    ],
    [
      'the release of tokens',
      {
        vesting: {
          startsAt: null,
          ...linearSchedule({ first: percent('1'), months: 2, cliff: null }),
        },
      },
      [
        'sale: vesting.shape none → linear',
        'sale: vesting.tranches none → 1 % in month 0, 49.5 % in month 1, 49.5 % in month 2',
      ],
    ],
    [
      'a promotion’s link and texts',
      { promotions: [aPromotion({ title: '+5%', detail: 'more', linkUrl: '/referrals' })] },
      [
        'promotion launch: title none → +5%',
        'promotion launch: detail none → more',
        'promotion launch: link none → /referrals',
      ],
    ],
    [
      'when a banner is shown',
      { banners: [aBanner({ shownWhile: ['ACTIVE', 'PAUSED'] })] },
      ['banner hello: while none → ACTIVE, PAUSED'],
    ],
  ])('is reported of what buyers are told: %s', (_what, change, expected) => {
    const before = aSale({ promotions: [aPromotion()], banners: [aBanner()] })
    expect(changes(before, { ...before, ...change })).toEqual(expected)
  })

  it.each<[string, Partial<Sale>, RegExp]>([
    [
      'an answer',
      { project: aProject({ questions: [{ question: 'Why?', answer: 'So.' }] }) },
      /^project: questions none → Why\? [0-9a-f]{8}$/,
    ],
    [
      'a risk',
      { project: aProject({ risk: { statement: 'All is at risk.', summary: ['Yes.'] } }) },
      /^project: risk.statement none → All is at risk\.$/,
    ],
    [
      'a translation',
      { translations: { de: { Pear: 'Birne' } } },
      /^sale: translations none → de: 1 \([0-9a-f]{8}\)$/,
    ],
  ])('is reported by a fingerprint where the text is long: %s', (_what, change, expected) => {
    expect(changes(aSale(), aSale(change))[0]).toMatch(expected)
  })

  it('is nothing where an older server did not know a field that the file leaves out', () => {
    const { project, ...parts } = stored(aSale())
    const { seller: _seller, ...known } = project ?? {}
    const plan = planSale({ ...parts, project: known }, aSale(), UNTOUCHED)
    expect(plan).toEqual({ ok: true, changes: [] })
  })

  it('names the picture that changed, and nothing else of it', () => {
    const [line] = changes(
      aSale({ promotions: [aPromotion()] }),
      aSale({ promotions: [aPromotion({ image: 'iVBORw0KGgp=' })] }),
    )
    expect(line).toMatch(/^promotion launch: image PNG [0-9a-f]{8} → PNG [0-9a-f]{8}$/)
  })
})

describe('what buyers have paid for', () => {
  it.each<[string, Partial<Sale>, string]>([
    ['the price', { stages: [aStage({ tokenPrice: priced('0.09') })] }, 'stages[0].token_price'],
    ['the type', { stages: [aStage({ type: 'dynamic' })] }, 'stages[0].type'],
    ['what is sold', { stages: [aStage({ supply: tokens('99.9') })] }, 'stages[0].total_tokens'],
    ['the payment token', { paymentTokens: [aPaymentToken({ id: 'usdt' })] }, 'payment_tokens'],
    [
      'its decimals',
      { paymentTokens: [aPaymentToken({ decimals: 8 })] },
      'payment_tokens[0].decimals',
    ],
    ['its chain', { paymentTokens: [aPaymentToken({ chain: 'BSC' })] }, 'payment_tokens[0].chain'],
    [
      'its contract',
      { paymentTokens: [aPaymentToken({ contract: `0x${'1'.repeat(40)}` })] },
      'payment_tokens[0].contract',
    ],
    ['the token’s symbol', { project: { ...aSale().project, symbol: 'NEW' } }, 'project.symbol'],
    ['its divisibility', { project: { ...aSale().project, decimals: 9 } }, 'project.decimals'],
  ])('stays: %s', (_what, change, path) => {
    expect(faultPaths(aSale(), aSale(change))).toEqual([path])
    expect(faultPaths(aSale(), aSale(change), UNTOUCHED)).toEqual([])
  })

  it('stays a sandbox, or a sale with real payments, before anything is bought', () => {
    const real = aSale({
      paymentTokens: [aPaymentToken({ rail: 'evm', providerIds: { evm: 'x' } })],
    })
    for (const history of [UNTOUCHED, SOLD]) {
      for (const [from, to, advice] of [
        [aSale(), real, 'start a real sale with an empty database'],
        [real, aSale(), 'start a sandbox with a database of its own'],
      ] as const) {
        const plan = planSale(stored(from), to, history)
        const message = expect.stringContaining(advice)
        expect(plan).toEqual({ ok: false, faults: [{ path: 'payment_tokens', message }] })
      }
    }
  })

  it('keeps the rail of a payment token, which alone finds what comes to its addresses', () => {
    const paidBy = (rail: 'utxo' | 'btcpay') =>
      aSale({ paymentTokens: [aPaymentToken({ rail, providerIds: { [rail]: 'btc' } })] })
    const path = 'payment_tokens[0].payment_provider_ids'
    expect(faultPaths(paidBy('utxo'), paidBy('btcpay'))).toEqual([path])
    expect(faultPaths(paidBy('btcpay'), paidBy('btcpay'))).toEqual([])
    expect(faultPaths(paidBy('utxo'), paidBy('btcpay'), UNTOUCHED)).toEqual([])
    const adviceFor = (from: Sale, to: Sale) => JSON.stringify(planSale(stored(from), to, SOLD))
    expect(adviceFor(paidBy('utxo'), paidBy('btcpay'))).toContain('add another payment token')
  })

  it('keeps the coin of a payment token at a gateway, whichever of its codes a file has', () => {
    const called = (rail: 'btcpay' | 'nowpayments', code: string) =>
      aSale({ paymentTokens: [aPaymentToken({ rail, providerIds: { [rail]: code, evm: 'x' } })] })
    const path = 'payment_tokens[0].payment_provider_ids'
    const [btc, usdt] = [called('btcpay', 'BTC'), called('nowpayments', 'usdttrc20')]
    for (const code of ['btc', 'BTC-OnChain', 'BTC-CHAIN']) {
      expect(faultPaths(btc, called('btcpay', code))).toEqual([])
      expect(faultPaths(called('btcpay', code), btc)).toEqual([])
    }
    expect(faultPaths(btc, called('btcpay', 'LTC-CHAIN'))).toEqual([path])
    expect(faultPaths(btc, called('btcpay', 'BTC-LN'))).toEqual([path])
    expect(faultPaths(usdt, called('nowpayments', 'USDTTRC20'))).toEqual([])
    expect(faultPaths(usdt, called('nowpayments', 'usdterc20'))).toEqual([path])
    expect(faultPaths(usdt, called('nowpayments', 'usdterc20'), UNTOUCHED)).toEqual([])
  })

  it('keeps the sum below which buyers may get their money back, or a higher one', () => {
    const capped = (usd: string) => aSale({ softCap: dollars(usd) })
    expect(faultPaths(capped('1000'), capped('999'))).toEqual(['soft_cap_usd'])
    expect(faultPaths(capped('1000'), aSale())).toEqual(['soft_cap_usd'])
    expect(faultPaths(capped('1000'), capped('1000'))).toEqual([])
    expect(faultPaths(capped('1000'), capped('2000'))).toEqual([])
    expect(faultPaths(aSale(), capped('1000'))).toEqual([])
    expect(faultPaths(capped('1000'), aSale(), UNTOUCHED)).toEqual([])
    expect(changes(capped('1000'), capped('1000.5'))).toEqual([
      'sale: soft_cap_usd $1000 → $1000.5',
    ])
  })

  it('takes no such sum that all stages together cannot raise, except one that was applied', () => {
    const capped = (usd: string) => aSale({ softCap: dollars(usd) })
    expect(planSale(null, capped('100000'), UNTOUCHED)).toMatchObject({ ok: true })
    const message = 'expected at most $100000, what all stages together raise, found $100000.01'
    expect(planSale(null, capped('100000.01'), UNTOUCHED)).toEqual({
      ok: false,
      faults: [{ path: 'soft_cap_usd', message }],
    })
    expect(faultPaths(capped('1000'), capped('100001'))).toEqual(['soft_cap_usd'])
    const noticed = aSale({ softCap: dollars('100001'), banners: [aBanner()] })
    expect(faultPaths(capped('100001'), noticed)).toEqual([])
  })

  it('keeps that sum as it is, or that there is none, once the sale has ended', () => {
    const capped = (usd: string) => aSale({ softCap: dollars(usd) })
    const ended = { ...SOLD, hasEnded: true }
    expect(faultPaths(capped('1000'), capped('2000'), ended)).toEqual(['soft_cap_usd'])
    expect(faultPaths(capped('1000'), capped('999'), ended)).toEqual(['soft_cap_usd'])
    expect(faultPaths(aSale(), capped('1000'), ended)).toEqual(['soft_cap_usd'])
    expect(faultPaths(capped('1000'), capped('1000'), ended)).toEqual([])
    expect(faultPaths(aSale(), aSale(), ended)).toEqual([])
  })

  describe('is released no later than was promised', () => {
    const linear = (first: string, months: number) =>
      linearSchedule({ first: percent(first), months, cliff: null })
    const vested = (schedule: ReleaseSchedule, startsAt: Date | null = null) =>
      aSale({ vesting: { startsAt, ...schedule } })
    const faultsOf = (from: Sale, to: Sale, history = SOLD) => {
      const plan = planSale(stored(from), to, history)
      return plan.ok ? [] : plan.faults.map(({ path, message }) => `${path}: ${message}`)
    }

    it.each<[string, ReleaseSchedule, string]>([
      ['a first part that is smaller', linear('0.5', 5), '1 % or more released by month 0'],
      ['a month more', linear('1', 6), '20.8 % or more released by month 1'],
      [
        'a cliff',
        linearSchedule({
          first: percent('1'),
          months: 5,
          cliff: { months: 2, percentage: percent('39.6') },
        }),
        '20.8 % or more released by month 1',
      ],
      [
        'less in the middle, though more at first',
        releaseSchedule('tranches', [
          { months: 0, percentage: percent('30') },
          { months: 5, percentage: percent('70') },
        ]),
        '40.6 % or more released by month 2',
      ],
    ])('refuses %s', (_what, schedule, message) => {
      const [fault] = faultsOf(vested(linear('1', 5)), vested(schedule))
      expect(fault).toContain(`vesting: expected ${message}, since tokens of stage-1 were bought`)
      expect(faultsOf(vested(linear('1', 5)), vested(schedule), UNTOUCHED)).toEqual([])
    })

    it('allows more, and earlier', () => {
      for (const better of [linear('2', 5), linear('1', 4), AT_ONCE]) {
        expect(faultsOf(vested(linear('1', 5)), vested(better))).toEqual([])
      }
      expect(faultsOf(vested(linear('1', 5)), aSale())).toEqual([])
    })

    it('stays as it is once buyers were given streams by it', () => {
      const streamed = { ...SOLD, hasStreams: true }
      const before = vested(linear('1', 5), minute(10))
      expect(faultsOf(before, before, streamed)).toEqual([])
      expect(faultsOf(before, vested(linear('2', 5), minute(5)), streamed)).toEqual([
        'vesting.starts: expected 2030-01-01T00:10:00.000Z, since buyers were given streams with this schedule, found 2030-01-01T00:05:00.000Z',
        'vesting: expected 1 % released by month 0, since buyers were given streams with this schedule, found 2 %',
      ])
    })

    it('takes a sale without a schedule at its word: nothing was held back', () => {
      expect(faultsOf(aSale(), vested(linear('1', 5)))).toEqual([
        'vesting: expected 100 % or more released by month 0, since tokens of stage-1 were bought, found 1 %',
      ])
      expect(faultsOf(aSale(), vested(AT_ONCE, minute(0)))).toEqual([])
    })

    it('keeps a start that was set, or takes an earlier one', () => {
      const starting = (startsAt: Date | null) => vested(linear('1', 5), startsAt)
      expect(faultsOf(starting(null), starting(minute(10)))).toEqual([])
      expect(faultsOf(starting(minute(10)), starting(minute(10)))).toEqual([])
      expect(faultsOf(starting(minute(10)), starting(minute(5)))).toEqual([])
      expect(faultsOf(starting(minute(10)), starting(minute(11)))).toEqual([
        'vesting.starts: expected 2030-01-01T00:10:00.000Z or earlier, since tokens were bought, found 2030-01-01T00:11:00.000Z',
      ])
      expect(faultsOf(starting(minute(10)), starting(null))[0]).toMatch(/found none$/)
      expect(faultPaths(starting(minute(10)), aSale())).toEqual(['vesting'])
      expect(faultsOf(starting(minute(10)), starting(minute(11)), UNTOUCHED)).toEqual([])
    })

    it('takes no earlier start at the end of a month by which a release would be later', () => {
      const starting = (start: string, tranches = linear('1', 1)) =>
        vested(tranches, new Date(start))
      const before = starting('2027-08-31T00:00:00Z')
      expect(faultsOf(before, starting('2027-08-30T22:00:00Z'))).toEqual([
        'vesting.starts: expected a start that makes no promised release later: that of month 1 was due 2027-09-30T00:00:00.000Z, found 2027-09-30T22:00:00.000Z',
      ])
      expect(faultsOf(before, starting('2027-08-30T00:00:00Z'))).toEqual([])
      expect(faultsOf(before, starting('2027-08-30T22:00:00Z', AT_ONCE))).toEqual([])
      expect(faultsOf(before, starting('2027-08-30T22:00:00Z'), UNTOUCHED)).toEqual([])
    })

    it('compares by stage, and only those that were bought from', () => {
      const [slow, quick] = [linear('1', 5), linear('10', 2)]
      const second = (vesting: ReleaseSchedule | null) =>
        aStage({ id: 'stage-2', name: 'Stage 2', vesting })
      const sale = (first: ReleaseSchedule | null, other: ReleaseSchedule | null) => ({
        ...vested(slow),
        stages: [aStage({ vesting: first }), second(other)],
      })
      expect(faultPaths(sale(quick, null), sale(slow, null))).toEqual(['stages[0].vesting'])
      expect(faultPaths(sale(quick, null), sale(null, null))).toEqual(['vesting'])
      expect(faultPaths(sale(null, null), sale(quick, null))).toEqual([])
      expect(faultPaths(sale(null, quick), sale(null, slow))).toEqual([])
    })
  })

  it('stays on the chain that wallets were set for', () => {
    const delivered = (chain: string, chainId: number) =>
      aSale({ delivery: { chain, chainId, decimals: 18, treasury: null } })
    const before = delivered('BSC', 56)
    expect(faultPaths(before, delivered('Polygon', 137))).toEqual(['delivery.chain'])
    expect(faultPaths(before, aSale())).toEqual(['delivery.chain'])
    expect(faultPaths(before, delivered('Polygon', 137), { ...SOLD, hasWallets: false })).toEqual(
      [],
    )
    expect(faultPaths(before, before)).toEqual([])
  })

  it('stays with its stage: one that was bought from does not go', () => {
    const second = aStage({ id: 'stage-2', name: 'Stage 2' })
    const history = { ...UNTOUCHED, stageIds: new Set(['stage-2']) }
    const [before, after] = [aSale({ stages: [aStage(), second] }), aSale()]
    expect(faultPaths(before, after, history)).toEqual(['stages'])
    expect(faultPaths(before, after, UNTOUCHED)).toEqual([])
  })

  it('leaves a stage room to shrink to what is sold and held', () => {
    const smaller = aSale({ stages: [aStage({ supply: tokens('100') })] })
    expect(changes(aSale(), smaller, SOLD)).toEqual([
      'stage-1 "Stage 1": total_tokens 1000000 → 100',
    ])
  })
})
