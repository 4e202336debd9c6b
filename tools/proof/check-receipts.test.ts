import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'

import {
  hexOf,
  LEAF_ENCODING,
  type ProofReceipt,
  RECEIPT_FORMAT,
  saltedId,
} from '#domain/delivery/proof-receipt.ts'
import { checkReceipts } from './check-receipts.ts'

const hash = (bytes: Uint8Array) => keccak256(bytes, 'bytes')
const idOf = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`
const saltOf = (nth: number) => new Uint8Array(32).fill(nth)

/** Receipts of a tree that the library of OpenZeppelin has made. */
function receiptsOf(tokens: readonly bigint[]): ProofReceipt[] {
  const values = tokens.map((amount, nth): [string, string] => [
    hexOf(saltedId(hash, saltOf(nth), idOf(nth))),
    String(amount),
  ])
  const tree = StandardMerkleTree.of(values, [...LEAF_ENCODING])
  return values.map((value, nth) => ({
    format: RECEIPT_FORMAT,
    snapshot: 1,
    root: tree.root,
    leaf_encoding: LEAF_ENCODING,
    purchase_id: idOf(nth),
    salt: hexOf(saltOf(nth)),
    value,
    proof: tree.getProof(nth),
  }))
}

const receipts = receiptsOf([10n ** 31n, 1n, 5n, 7n * 10n ** 18n, 2n])
const [first] = receipts
if (first === undefined) throw new Error('There is a first receipt.')

const check = (given: unknown, root: string | null = null) =>
  checkReceipts(JSON.stringify(given), root)

describe('receipts of a tree of @openzeppelin/merkle-tree', () => {
  test('are right, one by one and as a list', () => {
    for (const receipt of receipts) expect(check(receipt).faults).toEqual([])
    const { lines, faults } = check(receipts, first.root.toUpperCase().replace('0X', '0x'))
    expect(faults).toEqual([])
    expect(lines).toHaveLength(receipts.length)
    expect(lines[0]).toContain('10000000000000000000000000000000 base units')
  })

  test('are right where there is one leaf alone', () => {
    const [alone] = receiptsOf([3n])
    expect(alone?.proof).toEqual([])
    expect(check(alone).faults).toEqual([])
  })

  test.each([
    ['another amount', { value: [first.value[0], '1'] }, 'not in the snapshot'],
    ['another purchase', { purchase_id: idOf(1) }, '"purchase_id" or its "salt" was changed'],
    ['another salt', { salt: hexOf(saltOf(1)) }, '"purchase_id" or its "salt" was changed'],
    ['the proof of another', { proof: receipts[1]?.proof }, 'not in the snapshot'],
    ['another root', { root: hexOf(saltOf(9)) }, 'not in the snapshot'],
    [
      'a proof without end',
      { proof: Array.from({ length: 65 }, () => first.root) },
      'not a proof file',
    ],
    ['half a proof', { proof: first.proof.slice(1) }, 'not in the snapshot'],
    ['an amount that is negative', { value: [first.value[0], '-1'] }, 'not a proof file'],
    [
      'an amount beyond 256 bits',
      { value: [first.value[0], String(2n ** 256n)] },
      'not a proof file',
    ],
    ['another encoding', { leaf_encoding: ['address', 'uint256'] }, 'not a proof file'],
    ['another format', { format: 'token-receipt/2' }, 'not a proof file'],
    ['a snapshot without a number', { snapshot: 'one' }, 'not a proof file'],
    ['a root that is cut short', { root: first.root.slice(0, -1) }, 'not a proof file'],
    ['a root in a list', { root: [first.root] }, 'not a proof file'],
    ['a salt that is cut short', { salt: first.salt.slice(0, -1) }, 'not a proof file'],
    ['an encoding that is no list', { leaf_encoding: LEAF_ENCODING.join() }, 'not a proof file'],
    ['an id of another form', { purchase_id: 'one' }, 'not a proof file'],
    ['no value', { value: null }, 'not a proof file'],
    ['a value of three parts', { value: [...first.value, '1'] }, 'not a proof file'],
    ['an amount that is no text', { value: [first.value[0], 1] }, 'not a proof file'],
    ['a proof that is no list', { proof: first.root }, 'not a proof file'],
    ['a node that is none', { proof: ['0x1'] }, 'not a proof file'],
  ])('are wrong with %s', (_, change, fault) => {
    const { lines, faults } = check({ ...first, ...change })
    expect(lines).toEqual([])
    expect(faults.join()).toContain(fault)
  })

  test('are none where one of them is none', () => {
    expect(check([first, { ...first, root: '' }]).faults.join()).toContain('not a proof file')
  })

  test('that were changed are to be downloaded again', () => {
    expect(check({ ...first, salt: hexOf(saltOf(1)) }).faults.join()).toContain('Download it again')
  })

  test('are of another tree than the published one', () => {
    expect(check(first, hexOf(saltOf(9))).faults.join()).toContain('another tree')
  })

  test.each(['', '{', 'null', '[]', '[1]'])('are none in %j', (text) => {
    expect(checkReceipts(text, null).faults).toHaveLength(1)
  })
})
