import { concatHex, encodeFunctionData, encodePacked, type Hex, parseAbi, size } from 'viem'
import { expect, test } from 'vitest'
import type { MinedReceipt } from '#server/payments/evm/calls/node.ts'
import { safeTransfers } from './safe-transfers.ts'

const abi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
  'function multiSend(bytes transactions) payable',
  'function transfer(address to, uint256 value)',
])
const SAFE = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe'
const MULTI_SEND = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const NOBODY = `0x${'0'.repeat(40)}` as const
const [ADA, BOB] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
/** Of Safe 1.3.0 and later. */
const SUCCESS = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const FAILURE = '0x23428b18acfb3ea64b08dc0c1d296ea9c02702c09083ca6115272e64d115b61b'

const packed = (to: Hex, value: bigint, data: Hex = '0x') =>
  encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, to, value, BigInt(size(data)), data],
  )
const batchOf = (...calls: Hex[]) =>
  encodeFunctionData({ abi, functionName: 'multiSend', args: [concatHex(calls)] })
const execute = (to: Hex, value: bigint, data: Hex, operation: number) => ({
  hash: '0x1',
  from: ADA,
  to: SAFE,
  value: 0n,
  input: encodeFunctionData({
    abi,
    functionName: 'execTransaction',
    args: [to, value, data, operation, 0n, 0n, 0n, NOBODY, NOBODY, `0x${'12'.repeat(130)}`],
  }),
})
const receipt = (topic = SUCCESS, address = SAFE): MinedReceipt => ({
  transactionHash: '0x1',
  blockHash: '0x2',
  blockNumber: 9n,
  status: 1n,
  logs: [{ address, topics: [topic] }],
})

test('coins of a batch are read in their order, between calls of tokens', () => {
  const tokens = encodeFunctionData({ abi, functionName: 'transfer', args: [ADA, 5n] })
  const data = batchOf(packed(ADA, 7n), packed(BOB, 0n, tokens), packed(BOB, 8n))
  expect(safeTransfers(execute(MULTI_SEND, 0n, data, 1), receipt())).toEqual([
    { to: ADA, value: 7n },
    { to: BOB, value: 8n },
  ])
})

test('a single transfer of a Safe is read', () => {
  expect(safeTransfers(execute(BOB, 8n, '0x', 0), receipt())).toEqual([{ to: BOB, value: 8n }])
})

test('nothing is read of what the Safe itself does not report as done', () => {
  const sent = execute(MULTI_SEND, 0n, batchOf(packed(ADA, 7n)), 1)
  expect(safeTransfers(sent, receipt(FAILURE))).toEqual([])
  expect(safeTransfers(sent, receipt(SUCCESS, BOB))).toEqual([])
})

test('nothing is read of a call of a contract that may do some of a batch alone', () => {
  expect(safeTransfers(execute(BOB, 0n, batchOf(packed(ADA, 7n)), 1), receipt())).toBeNull()
})

test('nothing is read of a call of another contract, or of what a Safe has called', () => {
  const call = encodeFunctionData({ abi, functionName: 'transfer', args: [ADA, 5n] })
  expect(safeTransfers({ to: SAFE, input: call }, receipt())).toBeNull()
  expect(safeTransfers(execute(BOB, 8n, call, 0), receipt())).toBeNull()
})

test('nothing is read of a call that ends before its length', () => {
  const sent = execute(MULTI_SEND, 0n, batchOf(packed(ADA, 7n)), 1)
  for (const length of [10, 74, 300, 600, 700]) {
    expect(safeTransfers({ ...sent, input: sent.input.slice(0, length) }, receipt())).toBeNull()
  }
})
