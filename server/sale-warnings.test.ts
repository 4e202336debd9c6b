import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentage } from '#domain/money.ts'
import { linearSchedule } from '#domain/sale/release-schedule.ts'
import type { PaymentToken, Sale, Stage } from '#domain/sale/sale.ts'
import {
  aPaymentToken,
  aSale,
  aStage,
  dollars,
  minute,
  percent,
  someBonuses,
} from '#tests/kit/builders/domain-builders.ts'
import { openSaleFile, readSaleFile } from './sale-file/read-sale-file.ts'
import { listSaleWarnings } from './sale-warnings.ts'

const SELLER = { name: 'Pear Ltd', place: 'Dublin, Ireland', registration: null }
const RISK = { statement: 'You can lose all of it.', summary: ['Prices fall.'] }
const EVERYTHING = percentage(1_000_000n)

const PUBLIC_URL = 'https://presale.example'

const warningsOf = (
  sale: Sale,
  countedDates: readonly string[] = [],
  publicUrl: string | null = PUBLIC_URL,
) => listSaleWarnings({ sale, countedDates, publicUrl, changes: [], now: minute(0) })

function saleWith(
  rail: 'sandbox' | 'evm',
  maxUsd: string | null,
  rules: Partial<Sale['purchases']>,
): Sale {
  const { purchases, project } = aSale()
  return aSale({
    project: { ...project, seller: SELLER, risk: RISK, contactEmail: 'help@pear.example' },
    accounts: { requireVerifiedEmail: true },
    paymentTokens: [aPaymentToken({ rail })],
    stages: [aStage({ name: 'Early', maxUsd: maxUsd === null ? null : dollars(maxUsd) })],
    purchases: { ...purchases, openWorthPerUser: null, openWorthPerConnection: null, ...rules },
  })
}

test('a sale on real rails in which all can be reserved without paying is warned of', () => {
  expect(warningsOf(saleWith('evm', '1000', { unpaidShare: EVERYTHING }))).toEqual([
    expect.stringContaining('purchases.unpaid_share is 100, which it is without being set'),
  ])
  const half = { unpaidShare: percentage(500_000n) }
  expect(warningsOf(saleWith('evm', '1000', half))).toEqual([])
})

test('so is one in which a single account can reserve any amount', () => {
  const half = { unpaidShare: percentage(500_000n) }
  expect(warningsOf(saleWith('evm', null, half))).toEqual([
    expect.stringContaining("any amount of 'Early' without paying"),
  ])
  const bounded = { ...half, openWorthPerUser: dollars('500') }
  expect(warningsOf(saleWith('evm', null, bounded))).toEqual([])
})

test('so is one in which an email address need not be confirmed', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  expect(warningsOf({ ...sale, accounts: { requireVerifiedEmail: false } })).toEqual([
    expect.stringContaining('Set accounts.require_verified_email to true'),
  ])
})

test('so is one of which anything begins or ends by its first start, not by the calendar', () => {
  const half = { unpaidShare: percentage(500_000n) }
  const dates = ['stages[0].start_date', 'vesting.starts']
  expect(warningsOf(saleWith('evm', '1000', half), dates)).toEqual([
    expect.stringContaining('first applied: stages[0].start_date, vesting.starts. Set instants'),
  ])
  expect(warningsOf(saleWith('sandbox', '1000', half), ['stages[0].start_date'])).toEqual([])
})

test('so is one with dates in the past when it begins, or that do not go together', () => {
  const half = { unpaidShare: percentage(500_000n) }
  const sale = saleWith('evm', '1000', half)
  const warningsAt = (
    stage: Partial<Stage>,
    starts: Date | null,
    changes: { part: string; field: string | null }[] = [{ part: 'sale', field: null }],
  ) => {
    const stages = [aStage({ name: 'Early', maxUsd: dollars('1000'), ...stage })]
    const vesting = {
      ...linearSchedule({ first: percent('100'), months: 0, cliff: null }),
      startsAt: starts,
    }
    const dated = { ...sale, stages, vesting }
    const given = { sale: dated, countedDates: [], publicUrl: PUBLIC_URL }
    return listSaleWarnings({ ...given, changes, now: minute(60) })
  }
  const stage = { startsAt: minute(10), endsAt: minute(90) }
  const bonus = (from: number, to: number) => ({
    bonuses: someBonuses({
      limitedTime: { startsAt: minute(from), endsAt: minute(to), rate: percent('5') },
    }),
  })
  expect(warningsAt({ ...stage, ...bonus(0, 11) }, minute(61))).toEqual([])
  expect(warningsAt(stage, minute(60))).toEqual([
    expect.stringMatching(/^Look again at vesting.starts: .* is in the past/),
  ])
  expect(warningsAt(stage, minute(60), [{ part: 'sale', field: 'vesting.starts' }])).toHaveLength(1)
  expect(warningsAt({ ...stage, endsAt: minute(60) }, null)).toEqual([
    expect.stringMatching(/^Look again at the dates of 'Early': already over/),
  ])
  expect(warningsAt({ ...stage, endsAt: minute(60) }, minute(60), [])).toEqual([])
  for (const outside of [bonus(0, 10), bonus(90, 99)]) {
    expect(warningsAt({ ...stage, ...outside }, null, [])).toEqual([
      expect.stringMatching(
        /^Look again at bonuses.limited_time of 'Early'.* at most where that opens early/,
      ),
    ])
  }
})

test('so is one whose mails would lead to localhost', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  expect(warningsOf(sale, [], null)).toEqual([
    expect.stringMatching(/^PUBLIC_URL is not set: .* localhost.* Set it to the address/),
  ])
})

test('so is one whose gateway has a code that may be that of another coin', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  const at = (code: string, isEnabled = true) =>
    aPaymentToken({
      symbol: 'HUH',
      chain: 'BSC',
      rail: 'nowpayments',
      providerIds: { nowpayments: code },
      isEnabled,
    })
  const paymentTokens = [at('huhbsc'), at('hubsc'), at('uhbsc', false)]
  expect(warningsOf({ ...sale, paymentTokens })).toEqual([
    expect.stringContaining("are not by the coin's symbol: 'hubsc' for HUH on BSC. If"),
  ])
})

test('so is one whose code at NOWPayments means Ethereum, while buyers are told another network', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  const at = (symbol: string, chain: string, code: string, changes: Partial<PaymentToken> = {}) => {
    const providerIds = { nowpayments: code }
    const given = { symbol, chain, chainId: null, rail: 'nowpayments' as const, providerIds }
    return aPaymentToken({ ...given, ...changes })
  }
  const right = [
    at('MATIC', 'Polygon', 'maticmainnet'),
    at('USDC', 'ERC20', 'usdc'),
    at('USDC', 'Ethereum main network', 'usdc', { chainId: 1 }),
    at('DAI', 'BSC', 'dai', { isEnabled: false }),
  ]
  expect(warningsOf({ ...sale, paymentTokens: right })).toEqual([])
  const wrong = [at('MATIC', 'Polygon', 'matic'), at('DAI', 'Binance', 'DAI', { chainId: 56 })]
  expect(warningsOf({ ...sale, paymentTokens: [...right, ...wrong] })).toEqual([
    expect.stringContaining("no network: 'matic' for MATIC on Polygon, 'DAI' for DAI on Binance."),
  ])
})

test('a sandbox is warned of nothing', () => {
  expect(warningsOf(saleWith('sandbox', null, { unpaidShare: EVERYTHING }), [], null)).toEqual([])
})

test('a sale on real rails that hides who sells, or what can be lost, is warned of', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  const warningsWith = (offer: Partial<Sale['project']>) =>
    warningsOf({ ...sale, project: { ...sale.project, ...offer } })
  expect(warningsWith({ seller: null })).toEqual([expect.stringContaining('project.seller')])
  expect(warningsWith({ risk: null })).toEqual([expect.stringContaining('project.risk')])
  const shipped = { name: 'HUH Foundation (example)', place: 'Exampletown, Nowhere' }
  expect(warningsWith({ seller: { ...shipped, registration: null } })).toEqual([
    expect.stringContaining("still the example 'HUH Foundation (example)'"),
  ])
})

test('so is one that nobody can write to, or that sends buyers where the shipped sale file does', () => {
  const sale = saleWith('evm', '1000', { unpaidShare: percentage(500_000n) })
  const warningsWith = (contact: Partial<Sale['project']>) =>
    warningsOf({ ...sale, project: { ...sale.project, ...contact } })
  expect(warningsWith({ contactEmail: null })).toEqual([
    expect.stringContaining('project.contact_email is not set'),
  ])
  const { contactEmail, mainSiteUrl, links, papers } = shippedProject()
  expect(warningsWith({ contactEmail })).toEqual([
    expect.stringMatching(/huh\.social, .*: project\.contact_email\. Set your own/),
  ])
  expect(warningsWith({ mainSiteUrl, links, papers })).toEqual([
    expect.stringContaining(
      ': project.main_site_url, project.links.header, project.links.footer, project.papers. Set',
    ),
  ])
})

function shippedProject(): Sale['project'] {
  const path = join(import.meta.dirname, '../sales/huh.yaml')
  const reading = readSaleFile(path, openSaleFile(path), new Date('2026-01-01T00:00:00Z'))
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults))
  return reading.sale.project
}
