import { describe, expect, test } from 'vitest'
import {
  type BookedPurchase,
  openingTransfers,
  refundPaidTransfers,
  reservationTransfers,
  rewardTransfers,
  settlementTransfers,
} from './ledger.ts'
import { cryptoAmount, tokenAmount } from '#domain/money.ts'
import { balancesOf } from '#tests/kit/model/balances-of.ts'

const inStage1 = (amount: bigint) => ({ stageId: 'one', tokens: tokenAmount(amount) })
const inStage2 = (amount: bigint) => ({ stageId: 'two', tokens: tokenAmount(amount) })
const receipt = (receiptId: string, amount: bigint) => ({
  receiptId,
  amount: cryptoAmount(amount),
})

function booked(purchase: Partial<BookedPurchase> = {}): BookedPurchase {
  return { reserved: tokenAmount(0n), allocations: [], booked: [], refunds: [], ...purchase }
}

const settle = (before: BookedPurchase, after: BookedPurchase) =>
  settlementTransfers({
    userId: 'ann',
    stageId: 'one',
    before,
    after,
    assetOf: (receiptId) => (receiptId === 'foreign' ? 'doge' : 'eth'),
  }).map(
    ({ source, destination, asset, amount }) => `${source} → ${destination} ${amount} ${asset}`,
  )

const pending = booked({ reserved: tokenAmount(100n) })
const completed = booked({ allocations: [inStage1(100n)], booked: [receipt('a', 5n)] })

test.each([
  {
    name: 'paid in full',
    before: pending,
    after: completed,
    transfers: ['stage:one:reserved → user:ann 100 token', 'chain:eth → received:eth 5 eth'],
  },
  { name: 'nothing changed', before: completed, after: completed, transfers: [] },
  {
    name: 'undone',
    before: completed,
    after: pending,
    transfers: ['user:ann → stage:one:reserved 100 token', 'received:eth → chain:eth 5 eth'],
  },
  {
    name: 'undone, when more had been bought than is held again',
    before: booked({ allocations: [inStage1(110n)] }),
    after: pending,
    transfers: [
      'user:ann → stage:one:reserved 100 token',
      'user:ann → stage:one:available 10 token',
    ],
  },
  {
    name: 'expired',
    before: pending,
    after: booked(),
    transfers: ['stage:one:reserved → stage:one:available 100 token'],
  },
  {
    name: 'undone after the expiry',
    before: completed,
    after: booked(),
    transfers: ['user:ann → stage:one:available 100 token', 'received:eth → chain:eth 5 eth'],
  },
  {
    name: 'pro rata: the rest is released',
    before: pending,
    after: booked({ allocations: [inStage1(40n)], booked: [receipt('a', 2n)] }),
    transfers: [
      'stage:one:reserved → user:ann 40 token',
      'stage:one:reserved → stage:one:available 60 token',
      'chain:eth → received:eth 2 eth',
    ],
  },
  {
    name: 'more than was reserved, a part from another stage, a part owed back',
    before: pending,
    after: booked({
      allocations: [inStage1(110n), inStage2(7n)],
      booked: [receipt('a', 9n)],
      refunds: [{ ...receipt('a', 3n), why: 'overpaid' }],
    }),
    transfers: [
      'stage:one:reserved → user:ann 100 token',
      'stage:one:available → user:ann 10 token',
      'stage:two:available → user:ann 7 token',
      'chain:eth → received:eth 9 eth',
      'received:eth → refunds:eth 3 eth',
    ],
  },
  {
    name: 'owed no longer',
    before: booked({
      booked: [receipt('a', 9n)],
      refunds: [{ ...receipt('a', 9n), why: 'late' }],
    }),
    after: booked({ allocations: [inStage1(8n)], booked: [receipt('a', 9n)] }),
    transfers: ['stage:one:available → user:ann 8 token', 'refunds:eth → received:eth 9 eth'],
  },
  {
    name: 'another asset keeps its own accounts',
    before: pending,
    after: booked({
      ...pending,
      booked: [receipt('foreign', 4n)],
      refunds: [{ ...receipt('foreign', 4n), why: 'wrong_asset' }],
    }),
    transfers: ['chain:doge → received:doge 4 doge', 'received:doge → refunds:doge 4 doge'],
  },
])('$name', ({ before, after, transfers }) => {
  expect(settle(before, after)).toEqual(transfers)
})

test('supply, reservation, purchase, reward and its reversal add up to nothing', () => {
  const transfers = [
    ...openingTransfers({ id: 'one', supply: tokenAmount(1000n) }),
    ...reservationTransfers('one', tokenAmount(100n)),
    ...settlementTransfers({
      userId: 'ann',
      stageId: 'one',
      before: pending,
      after: completed,
      assetOf: () => 'eth',
    }),
    ...rewardTransfers('bob', 25n),
    ...rewardTransfers('bob', -5n),
  ]
  const balances = [...balancesOf(transfers)].map(([account, assets]) => [
    account,
    Object.fromEntries(assets),
  ])

  expect(Object.fromEntries(balances)).toEqual({
    'sale:supply': { token: -1020n },
    'stage:one:available': { token: 900n },
    'stage:one:reserved': { token: 0n },
    'user:ann': { token: 100n },
    'user:bob': { token: 20n },
    'chain:eth': { eth: -5n },
    'received:eth': { eth: 5n },
  })
  expect(transfers.every(({ amount }) => amount > 0n)).toBe(true)
})

describe('a refund that was paid', () => {
  const owing = booked({
    allocations: [inStage1(100n)],
    booked: [receipt('a', 9n)],
    refunds: [{ ...receipt('a', 3n), why: 'overpaid' }],
  })
  const paid = booked({ ...owing, refunds: [] })
  const settlePaid = (before: BookedPurchase, after: BookedPurchase) =>
    settlementTransfers({
      userId: 'ann',
      stageId: 'one',
      before,
      after,
      assetOf: () => 'eth',
      paidBackOf: () => 3n,
    })
  const moneyIn = (transfers: ReturnType<typeof settlePaid>) =>
    Object.fromEntries(
      [...balancesOf(transfers)]
        .map(([account, assets]) => [account, assets.get('eth') ?? 0n] as const)
        .filter(([account]) => /^(received|refunds|paid_out|uncovered|chain):/.test(account)),
    )
  const toPayment = [
    ...settlementTransfers({
      userId: 'ann',
      stageId: 'one',
      before: pending,
      after: owing,
      assetOf: () => 'eth',
    }),
    ...refundPaidTransfers('eth', cryptoAmount(3n)),
  ]

  test('is no longer owed, and has left', () => {
    expect(moneyIn(toPayment)).toEqual({
      'chain:eth': -9n,
      'received:eth': 6n,
      'refunds:eth': 0n,
      'paid_out:eth': 3n,
    })
  })

  test('moves nothing when its purchase is settled again', () => {
    expect(settlePaid(paid, paid)).toEqual([])
  })

  test('is a loss while its money is gone, and not once it is back', () => {
    const gone = settlePaid(paid, booked())
    expect(moneyIn([...toPayment, ...gone])).toEqual({
      'chain:eth': 0n,
      'received:eth': 0n,
      'refunds:eth': 0n,
      'paid_out:eth': 3n,
      'uncovered:eth': -3n,
    })
    const back = settlePaid(booked(), paid)
    expect(moneyIn([...toPayment, ...gone, ...back])).toEqual({
      ...moneyIn(toPayment),
      'uncovered:eth': 0n,
    })
  })

  test('is a loss as far as less came back than was paid', () => {
    const less = settlePaid(paid, booked({ booked: [receipt('a', 1n)] }))
    expect(moneyIn([...toPayment, ...less])).toEqual({
      'chain:eth': -1n,
      'received:eth': 0n,
      'refunds:eth': 0n,
      'paid_out:eth': 3n,
      'uncovered:eth': -2n,
    })
  })
})

test('ten times as many receipts are looked at ten times as often, not a hundred', () => {
  let looks = 0
  const watched = (receiptId: string) => ({
    get receiptId() {
      looks += 1
      return receiptId
    },
    amount: cryptoAmount(1n),
  })
  const looksFor = (count: number): number => {
    looks = 0
    const receipts = Array.from({ length: count }, (_, number) => watched(`receipt-${number}`))
    expect(settle(booked(), booked({ booked: receipts }))).toHaveLength(count)
    return looks
  }
  expect(looksFor(1_000)).toBe(10 * looksFor(100))
})
