import { expect, test } from 'vitest'
import type { SeenDelivery } from '#server/ports/claims.ts'
import { type KnownRows, matchDeliveries } from './match-deliveries.ts'

const [ada, ben] = ['0xaa', '0xbb']
const known: KnownRows = {
  distributionId: 2n,
  hasEnded: false,
  rows: [
    { place: 0, address: ada, amount: 100n },
    { place: 1, address: ben, amount: 50n },
  ],
  settled: [],
  own: [],
  taken: [],
  others: [],
}

let count = 0
function seen(owner: string, amount: bigint, changes: Partial<SeenDelivery> = {}): SeenDelivery {
  count += 1
  return {
    kind: 'sent',
    place: null,
    owner,
    receiver: owner,
    claimed: null,
    amount,
    transactionHash: `0x${count}`,
    logIndex: 0,
    blockHeight: BigInt(count),
    blockHash: `0xb${count}`,
    at: new Date(0),
    ...changes,
  }
}

const recorded = (each: SeenDelivery): KnownRows['taken'][number] => ({
  block_hash: each.blockHash,
  transaction_hash: each.transactionHash,
  log_index: each.logIndex,
  receiver: each.receiver,
  amount: each.amount,
})

const matched = (all: readonly SeenDelivery[], changes: Partial<KnownRows> = {}) =>
  matchDeliveries(all, { ...known, ...changes }).map(({ place, amount }) => [place, amount])

test('a transfer of the whole amount counts, and one to nobody of the list does not', () => {
  expect(matched([seen(ada, 100n), seen('0xcc', 100n)])).toEqual([[0, 100n]])
})

test('a second transfer of the same amount is of no row, and repeated once by the first list', () => {
  const twice = [seen(ada, 100n), seen(ada, 100n)]
  const repeated = [null, 100n]
  expect(matched(twice)).toEqual([[0, 100n], repeated])
  expect(matchDeliveries(twice, known)[1]).toMatchObject({ kind: 'repeated', is_late: true })
  const settled = [{ place: 0, amount: 100n }]
  expect(matched([seen(ada, 100n)], { settled })).toEqual([repeated])
  const other = { address: ada, amount: 100n, isPaid: true, hasEnded: false }
  const besides = (...others: KnownRows['others']) =>
    matched([seen(ada, 100n)], { settled, others })
  expect(besides({ ...other, id: 3n })).toEqual([repeated])
  expect(besides({ ...other, id: 3n, isPaid: false })).toEqual([])
  expect(besides({ ...other, id: 1n })).toEqual([])
})

test('transfers of other amounts are parts, unless the whole came as well', () => {
  expect(matched([seen(ada, 60n), seen(ada, 40n)])).toEqual([
    [0, 60n],
    [0, 40n],
  ])
  expect(matched([seen(ada, 1n), seen(ada, 100n)])).toEqual([[0, 100n]])
})

test('a row whose parts add up to its amount waits for nothing more', () => {
  const later = { id: 3n, address: ada, amount: 100n, isPaid: false, hasEnded: false }
  const halves = [seen(ada, 1n), seen(ada, 99n)]
  const parts = [
    [0, 1n],
    [0, 99n],
  ]
  const more = [seen(ada, 100n), seen(ada, 5n)]
  // What comes then is the later list's, or was sent once too often.
  expect(matched([...halves, ...more], { others: [later] })).toEqual(parts)
  expect(matched([...halves, ...more])).toEqual([[null, 100n], ...parts])
  const settled = halves.map(({ amount }) => ({ place: 0, amount }))
  expect(matched(more, { settled, others: [later] })).toEqual([])
  expect(matched(more, { settled })).toEqual([[null, 100n]])
  expect(matched([seen(ada, 100n)], { settled: settled.slice(0, 1) })).toEqual([[0, 100n]])
})

test('what is recorded of another distribution is not taken', () => {
  const transfer = seen(ada, 100n)
  expect(matched([transfer], { taken: [recorded(transfer)] })).toEqual([])
  // In another block, the same index is another log.
  const former = { ...transfer, blockHash: 'other' }
  expect(matched([transfer], { taken: [recorded({ ...former, amount: 60n })] })).toHaveLength(1)
})

test('what is recorded of another list stays there when its transaction is in another block', () => {
  const transfer = seen(ada, 100n)
  const ended = { id: 1n, address: ada, amount: 100n, isPaid: true, hasEnded: true }
  const others = [ended]
  const former = { ...transfer, blockHash: 'other' }
  for (const logIndex of [transfer.logIndex, 7]) {
    const taken = [recorded({ ...former, logIndex })]
    expect(matched([transfer], { taken, others })).toEqual([])
    // Of two alike it has one.
    const two = [transfer, { ...transfer, logIndex: 1 }]
    expect(matched(two, { taken, others })).toEqual([[0, 100n]])
  }
  const part = { ...transfer, amount: 40n }
  const taken = [recorded({ ...part, blockHash: 'other' })]
  expect(matched([part], { taken, others })).toEqual([])
})

test('what is recorded of an ended list stays there, though another one waits for the same', () => {
  const others = [{ id: 3n, address: ada, amount: 100n, isPaid: false, hasEnded: false }]
  const whole = seen(ada, 100n)
  const ended = { hasEnded: true, others }
  expect(matched([whole], ended)).toEqual([])
  expect(matched([whole], { ...ended, own: [recorded(whole)] })).toEqual([[0, 100n]])
  const moved = recorded({ ...whole, blockHash: 'other', logIndex: 7 })
  expect(matched([whole], { ...ended, own: [moved] })).toEqual([[0, 100n]])
  const part = seen(ada, 40n)
  expect(matched([part], ended)).toEqual([])
  expect(matched([part], { ...ended, own: [recorded(part)] })).toEqual([[0, 40n]])
})

test('an earlier list that waits for the same amount comes first', () => {
  const earlier = { id: 1n, address: ada, amount: 100n, hasEnded: false }
  expect(matched([seen(ada, 100n)], { others: [{ ...earlier, isPaid: false }] })).toEqual([])
  expect(matched([seen(ada, 100n)], { others: [{ ...earlier, isPaid: true }] })).toEqual([
    [0, 100n],
  ])
})

test('what is exactly the amount of another list is no part of this one', () => {
  const others = [{ id: 3n, address: ada, amount: 60n, isPaid: false, hasEnded: false }]
  expect(matched([seen(ada, 60n)], { others })).toEqual([])
})

test('what another list was sent late or again is no part, unless it is exactly the rest', () => {
  const other = { id: 1n, address: ada, amount: 60n, isPaid: true }
  for (const hasEnded of [false, true]) {
    const others = [{ ...other, hasEnded }]
    expect(matched([seen(ada, 60n)], { others })).toEqual([])
    const settled = [{ place: 0, amount: 30n }]
    expect(matched([seen(ada, 60n)], { settled, others })).toEqual([])
  }
  // More than a row has would otherwise be the whole of it.
  const others = [{ ...other, amount: 120n, hasEnded: false }]
  expect(matched([seen(ada, 120n)], { others })).toEqual([])
})

test('the rest of a row may be as much as another list has, once that has come or has ended', () => {
  const other = { id: 3n, address: ada, amount: 60n, hasEnded: false }
  const settled = [{ place: 0, amount: 40n }]
  const rest = [[0, 60n]]
  for (const id of [1n, 3n]) {
    const paid = [{ ...other, id, isPaid: true }]
    expect(matched([seen(ada, 60n)], { settled, others: paid })).toEqual(rest)
    const ended = [{ ...other, id, isPaid: false, hasEnded: true }]
    expect(matched([seen(ada, 60n)], { settled, others: ended })).toEqual(rest)
    expect(matched([seen(ada, 60n)], { others: ended })).toEqual([])
  }
  // Of two that show at once, the other list gets the first.
  const both = [seen(ada, 60n), seen(ada, 60n)]
  const waiting = { settled, others: [{ ...other, isPaid: false }] }
  expect(matchDeliveries(both, { ...known, ...waiting })).toMatchObject([
    { place: 0, transaction_hash: both[1]?.transactionHash },
  ])
  const between = [seen(ada, 60n), seen(ada, 40n), seen(ada, 60n)]
  expect(matched(between, { others: waiting.others })).toEqual([[0, 40n], ...rest])
})

test('a list that has ended gets what no list that stands waits for, and no parts', () => {
  const other = { address: ada, amount: 100n, isPaid: false }
  const ended = { ...other, id: 1n, hasEnded: true }
  expect(matched([seen(ada, 100n)], { others: [ended] })).toEqual([[0, 100n]])
  const published = { ...other, id: 3n, hasEnded: false }
  const late = (others: KnownRows['others']) =>
    matched([seen(ada, 100n), seen(ben, 20n)], { hasEnded: true, others })
  expect(late([published])).toEqual([])
  expect(late([{ ...published, isPaid: true }])).toEqual([[0, 100n]])
})

test('a claim belongs to the row of its index and owner, once', () => {
  const claim = { kind: 'claimed' as const, claimed: 100n }
  expect(matched([seen(ada, 99n, { ...claim, place: 0 })])).toEqual([[0, 99n]])
  expect(matched([seen(ada, 100n, { ...claim, place: 1 })])).toEqual([])
  const twice = [seen(ada, 100n, claim), seen(ada, 100n, claim)]
  expect(matched(twice)).toEqual([[0, 100n]])
})

test('more than a row has is no claim of it, though its wallet got it', () => {
  const taken = [101n, 100n].map((amount) => seen(ada, amount, { kind: 'swept' }))
  expect(matchDeliveries(taken, known)).toMatchObject([
    { kind: 'swept', place: null, amount: 101n },
    { kind: 'claimed', place: 0, amount: 100n },
  ])
  expect(matched([seen(ada, 101n, { kind: 'unknown' })])).toEqual([[null, 101n]])
})

test('what was swept belongs to no row', () => {
  const swept = seen('0xdd', 50n, { kind: 'swept', owner: null })
  expect(matched([swept])).toEqual([[null, 50n]])
})

test('what a contract paid to the wallet of a row is that row’s, without an event that says so', () => {
  const gone = { kind: 'swept' as const }
  expect(matched([seen(ada, 100n, gone), seen('0xdd', 50n, gone)])).toEqual([
    [0, 100n],
    [null, 50n],
  ])
  // Only once: whoever takes the rest back may be an owner too.
  expect(matched([seen(ada, 100n, gone), seen(ada, 50n, gone)])).toEqual([
    [0, 100n],
    [null, 50n],
  ])
  expect(matched([seen('0xdd', 5n, { kind: 'unknown' })])).toEqual([[null, 5n]])
})
