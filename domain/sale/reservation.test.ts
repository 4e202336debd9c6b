import { describe, expect, test } from 'vitest'
import {
  aPaymentToken,
  aSale,
  aStage,
  dollars,
  minute,
  tokens,
  WITHOUT_BOUNDS,
} from '#tests/kit/builders/domain-builders.ts'
import { percentage, tokenAmount } from '#domain/money.ts'
import {
  brokenBound,
  NOTHING_UNPAID,
  openMax,
  reservationBounds,
  shareLeft,
  type Unpaid,
  waitsUntil,
} from './reservation.ts'
import type { PurchaseRules } from './sale.ts'

const HALF_HOUR_MS = 30 * 60_000

const stageOf = (maxUsd: string | null) =>
  aStage({ supply: tokens('1000'), maxUsd: maxUsd === null ? null : dollars(maxUsd) })

function boundsWith(rules: Partial<PurchaseRules>, maxUsd: string | null = '100') {
  const purchases = {
    ...WITHOUT_BOUNDS,
    expireAfterMs: HALF_HOUR_MS,
    openPerUserMax: 10,
    openWorthPerUser: null,
    openWorthPerConnection: null,
    ...rules,
  }
  const paymentTokens = [aPaymentToken({ minUsd: dollars('0.1') })]
  return reservationBounds({ purchases, paymentTokens }, stageOf(maxUsd))
}

describe('the bounds of a stage', () => {
  test.each([
    [{}, '100', '1000'],
    [{ openWorthPerUser: dollars('300') }, '300', '3000'],
    [{ openWorthPerConnection: dollars('400') }, '100', '400'],
  ])('follow from its largest purchase where the sale does not say: %o', (rules, user, all) => {
    expect(boundsWith(rules)).toMatchObject({
      worthPerUserMax: dollars(user),
      worthPerConnectionMax: dollars(all),
    })
  })

  test('are none for accounts and connections where there is no largest purchase', () => {
    expect(boundsWith({}, null)).toMatchObject({
      worthPerUserMax: null,
      worthPerConnectionMax: null,
    })
  })
})

describe('after purchases that were let expire', () => {
  test.each([
    [0, 10],
    [1, 5],
    [2, 2],
    [3, 1],
    [4, 1],
    [32, 1],
  ])('%i of them, %i may be open', (lapses, max) => {
    expect(openMax({ openPerUserMax: 10 }, { lapses })).toBe(max)
    expect(openMax({ openPerUserMax: 1 }, { lapses })).toBe(1)
  })

  test.each([
    [1, null],
    [2, null],
    [3, 30],
    [4, 60],
    [32, 900],
    [60, 1_440],
  ])('%i of them, the next one waits %j minutes', (lapses, minutes) => {
    const unpaid = { ...NOTHING_UNPAID, lapses, lapsedAt: minute(0) }
    const until = minutes === null ? null : minute(minutes)
    expect(waitsUntil(unpaid, HALF_HOUR_MS)).toEqual(until)
  })
})

describe('half of what is left', () => {
  const bounds = boundsWith({ unpaidShare: percentage(500_000n) })
  const stage = stageOf('100')
  const progress = (sold: string, reserved: string, unpaid: string) => ({
    sold: tokens(sold),
    reserved: tokens(reserved),
    unpaid: tokens(unpaid),
  })

  test.each([
    ['0', '0', '0', '500'],
    ['0', '300', '300', '200'],
    // A paid purchase that waits for confirmations is as good as sold.
    ['0', '300', '0', '350'],
    ['400', '100', '100', '200'],
    ['0', '800', '800', '0'],
    ['1000', '0', '0', '0'],
  ])(
    'with %s sold, %s reserved and %s of it unpaid has %s free',
    (sold, reserved, unpaid, free) => {
      expect(shareLeft(stage, progress(sold, reserved, unpaid), bounds)).toBe(tokens(free))
    },
  )

  test('is no bound for whoever is the only one with anything unpaid', () => {
    const request = {
      usd: dollars('10'),
      tokens: tokens('600'),
      now: minute(0),
      expireAfterMs: HALF_HOUR_MS,
    }
    const check = (unpaid: Unpaid) =>
      brokenBound(request, { stage, progress: progress('0', '300', '300') }, bounds, unpaid)
    expect(check({ ...NOTHING_UNPAID, tokens: tokens('300') })).toBeNull()
    const notAll = tokenAmount(tokens('300') - 1n)
    expect(check({ ...NOTHING_UNPAID, tokens: notAll })).toBe('share')
  })
})

describe('ten of the smallest purchases', () => {
  const bounds = boundsWith({ unpaidShare: percentage(500_000n) })
  const stage = stageOf('100')

  test.each([
    // Half of 20 tokens is worth ten times $0.1; half of fewer is not.
    ['979', '1', '9.5'],
    ['980', '1', '9'],
    ['985', '1', '9'],
    ['990', '1', '9'],
    ['995', '1', '4'],
    ['980', '10', '0'],
  ])('can be unpaid at all times: with %s sold and %s unpaid, %s more', (sold, unpaid, free) => {
    const progress = { sold: tokens(sold), reserved: tokens(unpaid), unpaid: tokens(unpaid) }
    expect(shareLeft(stage, progress, bounds)).toBe(tokens(free))
  })

  test('are those of the stage or of the payment token, whichever are larger', () => {
    const sale = aSale({
      paymentTokens: [
        aPaymentToken({ minUsd: dollars('5') }),
        aPaymentToken({ minUsd: dollars('25') }),
        aPaymentToken({ minUsd: dollars('1000'), isEnabled: false }),
      ],
    })
    expect(reservationBounds(sale, aStage()).shareMin).toBe(dollars('250'))
    expect(reservationBounds(sale, aStage({ minUsd: dollars('30') })).shareMin).toBe(dollars('300'))
  })
})
