import { expect, test } from 'vitest'
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
} from '#tests/kit/builders/domain-builders.ts'
import { describeSale } from './describe-sale.ts'
import { releaseSchedule } from '#domain/sale/release-schedule.ts'
import { changeText, planSale, type SaleChange, type SaleHistory } from './sale-changes.ts'
import type { Banner, Sale } from '#domain/sale/sale.ts'

const vesting = releaseSchedule('tranches', [
  { months: 0, percentage: percent('40') },
  { months: 5, percentage: percent('60') },
])

/** A sale that leaves nothing out. */
const whole = aSale({
  purchases: {
    expireAfterMs: 1_800_000,
    openPerUserMax: 10,
    openWorthPerUser: dollars('100'),
    openWorthPerConnection: dollars('1000'),
    unpaidShare: percent('50'),
  },
  withdrawal: { days: 14 },
  softCap: dollars('5000'),
  finalPrice: priced('0.5'),
  paymentTokens: [aPaymentToken({ contract: '0x12', testNetwork: 'Sepolia' })],
  stages: [
    aStage({
      type: 'dynamic',
      finalTokenPrice: priced('0.3'),
      endsAt: minute(60),
      minUsd: dollars('10'),
      maxUsd: dollars('900'),
      bonuses: someBonuses({
        spending: [{ from: dollars('100'), rate: percent('5') }],
        paymentTokens: [{ paymentTokenId: 'eth', rate: percent('1') }],
        limitedTime: { startsAt: minute(0), endsAt: minute(1), rate: percent('3') },
        signup: {
          firstPurchase: percent('4'),
          limitedTime: { minutesAfterSignup: 60, rate: percent('6') },
        },
      }),
      vesting,
    }),
  ],
  promotions: [
    aPromotion({
      imageBlue: 'iVBO',
      title: '+5%',
      detail: 'more',
      linkUrl: '/referrals',
      buyParams: { usd_amount: 5 },
    }),
  ],
  banners: [
    aBanner({
      linkUrl: 'https://pear.example/buy',
      linkLabel: 'Buy',
      startsAt: minute(0),
      endsAt: minute(1),
      shownWhile: ['ACTIVE'],
    }),
  ],
  vesting: { startsAt: minute(90), ...vesting },
  delivery: { chain: 'BSC', chainId: 56, decimals: 18, treasury: '0x34' },
  translations: { de: { Pear: 'Birne' } },
  project: aProject({
    links: { header: { Events: '/e' }, footer: { About: { Us: '/us' } }, buyNow: '/now' },
    contactEmail: 'ask@example.com',
    processors: [{ name: 'Mail Ltd', purpose: 'mails' }],
    pictures: { logo: 'iVBO', icon: 'iVBO', socialPreview: 'iVBO' },
    info: {
      facts: [{ label: 'Supply', value: '10', detail: 'fixed' }],
      sections: [{ title: 'Why', paragraphs: ['So.'] }],
    },
    seller: { name: 'Pear Ltd', place: 'Zug', registration: 'CHE-1' },
    contract: { chain: 'BSC', address: '0x12', explorerUrl: 'https://explorer.example' },
    papers: [{ title: 'Audit', url: 'https://pear.example/a', date: '2022-07-01' }],
    questions: [{ question: 'Why?', answer: 'So.' }],
    risk: { statement: 'All is at risk.', summary: ['Yes.'] },
    supply: [{ label: 'Presale', share: percent('100') }],
  }),
})

/** What leads buyers somewhere, or is where they write to. */
const LINKS = /^(?:project\.(?:mainSiteUrl|links|contactEmail|papers)|banners\.0\.(?:id|linkUrl))\b/
/** The fields that are words and pictures; all others are about money. */
const WORDS =
  /^(?:accounts|banners|promotions|translations|project(?!\.(?:symbol|decimals|contract))|(?:stages|paymentTokens)\.0\.name)\b/

/** The same with one of its values changed, for each of them, with the path of that value. */
function* changedOnce(value: unknown, path: readonly string[] = []): Generator<[string, unknown]> {
  if (value === null) throw new Error(`The example has no ${path.join('.')}.`)
  if (typeof value !== 'object' || value instanceof Date)
    return yield [path.join('.'), other(value)]
  for (const [key, part] of Object.entries(value)) {
    for (const [at, changed] of changedOnce(part, [...path, key])) {
      yield [
        at,
        Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed },
      ]
    }
  }
}

function other(value: unknown): unknown {
  if (typeof value === 'string') return `${value}~`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  return value instanceof Date ? new Date(value.getTime() + 1) : !value
}

// The rail is not a field: it is the first of the provider ids.
const all = [...changedOnce(whole)].filter(([path]) => path !== 'paymentTokens.0.rail')

const UNTOUCHED: SaleHistory = {
  progress: new Map(),
  stageIds: new Set(),
  paymentTokenIds: new Set(),
  hasWallets: false,
  hasStreams: false,
  hasEnded: false,
}
const SOLD: SaleHistory = {
  progress: new Map([['stage-1', progress('1')]]),
  stageIds: new Set(['stage-1']),
  paymentTokenIds: new Set(['eth']),
  hasWallets: true,
  hasStreams: false,
  hasEnded: false,
}

function changesOf(before: Sale | null, after: Sale): readonly SaleChange[] {
  const plan = planSale(before && describeSale(before), after, UNTOUCHED)
  return plan.ok ? plan.changes : []
}

test.each(all)(
  'a change of %s is shown, and counts as money unless it is links or words',
  (path, changed) => {
    const concerns = new Set(changesOf(whole, changed as Sale).map((change) => change.concerns))
    const most = (['money', 'links', 'words'] as const).find((each) => concerns.has(each))
    expect(most).toBe(LINKS.test(path) ? 'links' : WORDS.test(path) ? 'words' : 'money')
  },
)

test('a banner counts as a link where it leads away from the site', () => {
  const concernsOf = (before: Partial<Banner>[], after: Partial<Banner>[]) =>
    changesOf(aSale({ banners: before.map(aBanner) }), aSale({ banners: after.map(aBanner) }))
      .filter(({ part }) => part.startsWith('banner '))
      .map((change) => change.concerns)
  const away = { linkUrl: 'https://pear.example' }
  expect(concernsOf([], [away])).toEqual(['links'])
  expect(concernsOf([{}], [away])).toEqual(['links'])
  expect(concernsOf([], [{}])).toEqual(['words'])
  expect(concernsOf([], [{ linkUrl: '/info' }])).toEqual(['words'])
  expect(concernsOf([away], [{ linkUrl: '/info' }])).toEqual(['words'])
  expect(concernsOf([away], [])).toEqual(['words'])
})

test('what was bought, paid in, or has a wallet waiting for it stays as it was', () => {
  const isRefused = (changed: unknown) => !planSale(describeSale(whole), changed as Sale, SOLD).ok
  expect(all.filter(([, changed]) => isRefused(changed)).map(([path]) => path)).toEqual([
    'project.symbol',
    'project.decimals',
    'paymentTokens.0.id',
    'paymentTokens.0.chain',
    'paymentTokens.0.decimals',
    'paymentTokens.0.chainId',
    'paymentTokens.0.contract',
    'paymentTokens.0.testNetwork',
    'stages.0.id',
    'stages.0.type',
    'stages.0.tokenPrice',
    'stages.0.finalTokenPrice',
    'stages.0.vesting.tranches.0.months',
    'stages.0.vesting.tranches.1.months',
    'vesting.startsAt',
    'delivery.chain',
    'delivery.chainId',
  ])
})

test('the first sale is one line, and money', () => {
  const [change, ...more] = changesOf(null, aSale())
  const text = 'the sale of Example (EXA) begins (stages: 1, payment tokens: 1)'
  expect(change && changeText(change)).toBe(text)
  expect(change?.concerns).toBe('money')
  expect(more).toEqual([])
})

test('what goes is named as it was', () => {
  const before = aSale({ stages: [aStage(), aStage({ id: 'stage-2', name: 'Late' })] })
  expect(changesOf(before, aSale()).map(changeText)).toEqual(['stage-2 "Late": removed'])
  expect(changesOf(aSale(), before).map(changeText)).toEqual(['stage-2 "Late": added'])
})

test('what an older server did not know of releases was not promised', () => {
  const { sale, ...parts } = describeSale(aSale())
  const { 'vesting.tranches': _unknown, ...known } = sale ?? {}
  const held = aSale({ vesting: whole.vesting })
  expect(planSale({ ...parts, sale: known }, held, SOLD).ok).toBe(true)
})

test('what comes is shown with all that it does not leave out, long texts cut', () => {
  const [, added] = changesOf(aSale(), aSale({ banners: [aBanner({ message: 'x'.repeat(81) })] }))
  const after = `message ${'x'.repeat(80)}…, tone info, dismissible true`
  expect(added).toMatchObject({ part: 'banner hello', field: null, before: null, after })
})
