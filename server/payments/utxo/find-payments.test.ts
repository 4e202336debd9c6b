import { describe, expect, test } from 'vitest'
import { parseExactJson } from '#domain/exact-json.ts'
import { findPayments, mayConcern } from './find-payments.ts'
import { readTransaction } from './transactions.ts'

const HASH = 'ab'.repeat(20)
const SEGWIT = `0014${HASH}`
const LEGACY = `76a914${HASH}88ac`
const ID = '12'.repeat(32)

const watched = (script: string) => ({
  given: new Map([[script, { address: 'ours', id: 1n }]]),
  ahead: new Map<string, number>(),
})

const transactionOf = (vout: string, vin = '[{"txid":"00","vout":0}]') =>
  readTransaction(parseExactJson(`{"txid":"${ID}","vin":${vin},"vout":[${vout}]}`)?.value)

const output = (n: number, value: string, hex = SEGWIT) =>
  `{"n":${n},"value":${value},"scriptPubKey":{"hex":"${hex}","address":"whatever"}}`

describe('a transaction', () => {
  test.each([
    ['0.00000001', 1n],
    ['1e-8', 1n],
    ['0.1', 10_000_000n],
    ['0.30000000', 30_000_000n],
    ['20999999.97690000', 2_099_999_997_690_000n],
    // More dogecoins than a float can count in base units.
    ['98765432109.87654321', 9_876_543_210_987_654_321n],
  ])('of %s brings exactly that', (value, amount) => {
    const transaction = transactionOf(output(0, value))
    expect(transaction?.outputs).toEqual([{ index: 0, script: SEGWIT, amount }])
  })

  test('brings each of its outputs, by its place', () => {
    const outputs = [output(0, '1', LEGACY), output(1, '2'), output(2, '0'), output(3, '4')]
    const transaction = transactionOf(outputs.join())
    const { payments } = findPayments(transaction === null ? [] : [transaction], watched(SEGWIT))
    expect(payments).toMatchObject([
      { transactionHash: ID, index: 1, address: 'ours', amount: 200_000_000n, isCoinbase: false },
      { transactionHash: ID, index: 3, amount: 400_000_000n },
    ])
  })

  test('that creates coins is recognised', () => {
    expect(transactionOf(output(0, '1'), '[{"coinbase":"00"}]')?.isCoinbase).toBe(true)
  })

  test.each([
    '{"n":0,"value":-1,"scriptPubKey":{"hex":"00"}}',
    '{"n":0,"scriptPubKey":{"hex":"00"}}',
    '{"value":1,"scriptPubKey":{"hex":"00"}}',
    '{"n":0,"value":1,"scriptPubKey":{}}',
    '{"n":0,"value":1,"scriptPubKey":{"hex":"xyz"}}',
    '7',
  ])('with the output %s is none', (vout) => {
    expect(transactionOf(vout)).toBeNull()
  })

  test('shows an index that nobody was given as used', () => {
    const ahead = new Map([[SEGWIT, 37]])
    const transaction = transactionOf(`${output(0, '1')},${output(1, '0')}`)
    const found = findPayments(transaction === null ? [] : [transaction], {
      given: new Map(),
      ahead,
    })
    expect(found).toEqual({ payments: [], usedAhead: 37 })
  })
})

describe('a raw block', () => {
  test('is taken apart only where a watched script stands in it', () => {
    const before = '16001600'.repeat(3)
    expect(mayConcern(`${before}16${SEGWIT}00`, 'wpkh', watched(SEGWIT))).toBe(true)
    expect(mayConcern(`${before}1600141600${SEGWIT}00`, 'wpkh', watched(SEGWIT))).toBe(false)
    // What looks like the start of a script may contain the start of the real one.
    expect(mayConcern(`16001416${SEGWIT}`, 'wpkh', watched(SEGWIT))).toBe(true)
    expect(mayConcern(`00ff19${LEGACY}00`, 'pkh', watched(LEGACY))).toBe(true)
    expect(mayConcern(`00ff19${LEGACY}00`, 'pkh', watched(LEGACY.replace('ab', 'ac')))).toBe(false)
  })
})
