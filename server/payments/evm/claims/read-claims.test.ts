import { type Abi, encodeAbiParameters, encodeEventTopics, parseAbi, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import type { Log } from '#server/payments/evm/calls/node.ts'
import { readClaims as readAll, topicsOf } from './read-claims.ts'

const CONTRACT = `0x${'c0'.repeat(20)}` as const
const TOKEN = `0x${'70'.repeat(20)}` as const
const ADA = `0x${'aa'.repeat(20)}` as const
const BEN = `0x${'bb'.repeat(20)}` as const
const STREAMS = `0x${'55'.repeat(20)}` as const

let index = 0n

const readClaims = (
  tool: DistributionTool,
  events: readonly Log[],
  transfers: readonly Log[],
  campaign: string | null = null,
) => readAll(tool, events, transfers, campaign)

/** A log as a node gives it, encoded by a library from the signature of its event. */
function log(
  signature: string,
  args: readonly unknown[],
  { transaction = 1, address = CONTRACT }: { transaction?: number; address?: string } = {},
): Log {
  const [event] = parseAbi([signature]) as Abi
  if (event?.type !== 'event') throw new Error('That is no event.')
  const inputs = event.inputs.map((input, place) => ({ ...input, value: args[place] }))
  const indexed = Object.fromEntries(inputs.map(({ name, value }) => [name, value]))
  const plain = inputs.filter((input) => !('indexed' in input && input.indexed === true))
  index += 1n
  return {
    address,
    topics: encodeEventTopics({ abi: [event], args: indexed }) as string[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ value }) => value),
    ),
    blockNumber: 7n,
    blockHash: `0x${'b1'.repeat(32)}`,
    transactionHash: `0x${String(transaction).padStart(64, '0')}`,
    logIndex: index,
  }
}

const transfer = (to: string, value: bigint, transaction = 1) =>
  log(
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    [CONTRACT, to, value],
    {
      transaction,
      address: TOKEN,
    },
  )

const LL_VESTING =
  'event ClaimLLWithVesting(uint256 index, address indexed recipient, uint128 amount, uint256 indexed streamId, address to, bool viaSig)'
const HEDGEY =
  'event UnlockedTokensClaimed(bytes16 indexed id, address indexed claimer, uint256 amountClaimed, uint256 amountRemaining)'

test('the signatures are those that the topics were made of', () => {
  const topic = (signature: string): string => toEventSelector(signature)
  expect(topicsOf('uniswap', null)).toEqual([
    [topic('event Claimed(uint256 index, address account, uint256 amount)')],
  ])
  const values = 'uint256 index, address indexed recipient, uint128 amount'
  const stream = `${values}, uint256 indexed streamId, address to, bool viaSig`
  expect(topicsOf('sablier_linear', null)).toEqual([
    [
      topic(`event ClaimInstant(${values}, address to, bool viaSig)`),
      topic(`event ClaimLLWithTransfer(${values}, address to, bool viaSig)`),
      topic(`event ClaimLTWithTransfer(${values}, address to, bool viaSig)`),
      topic(`event ClaimLLWithVesting(${stream})`),
      topic(`event ClaimLTWithVesting(${stream})`),
      topic('event Clawback(address indexed admin, address indexed to, uint128 amount)'),
    ],
  ])
})

test('a claim by index has what the token’s own log says that arrived', () => {
  const claimed = log('event Claimed(uint256 index, address account, uint256 amount)', [
    3n,
    ADA,
    100n,
  ])
  expect(
    readClaims('uniswap', [claimed], [transfer(STREAMS, 1n), transfer(ADA, 99n)]),
  ).toMatchObject([
    { kind: 'claimed', place: 3, owner: ADA, receiver: ADA, claimed: 100n, amount: 99n },
  ])
  expect(readClaims('uniswap', [claimed], [])).toMatchObject([{ amount: 0n }])
})

test('two claims in one transaction to one address have a transfer each', () => {
  const signature =
    'event ClaimInstant(uint256 index, address indexed recipient, uint128 amount, address to, bool viaSig)'
  const claims = [
    log(signature, [0n, ADA, 100n, STREAMS, false]),
    log(signature, [1n, BEN, 50n, STREAMS, true]),
  ]
  const found = readClaims('sablier_instant', claims, [
    transfer(STREAMS, 100n),
    transfer(STREAMS, 50n),
  ])
  expect(found).toMatchObject([
    { place: 0, owner: ADA, receiver: STREAMS, amount: 100n },
    { place: 1, owner: BEN, receiver: STREAMS, amount: 50n },
  ])
})

test('a claim into a stream counts by what the stream was given', () => {
  const claim = log(LL_VESTING, [5n, ADA, 100n, 77n, BEN, false])
  expect(readClaims('sablier_linear', [claim], [transfer(STREAMS, 100n)])).toMatchObject([
    { place: 5, owner: ADA, receiver: BEN, amount: 100n },
  ])
})

test('a clawback, and what leaves a contract without a claim, is swept', () => {
  const clawback = log(
    'event Clawback(address indexed admin, address indexed to, uint128 amount)',
    [BEN, ADA, 50n],
  )
  expect(readClaims('sablier_instant', [clawback], [transfer(ADA, 50n)])).toMatchObject([
    { kind: 'swept', owner: null, receiver: ADA, amount: 50n },
  ])
  expect(readClaims('uniswap', [], [transfer(BEN, 9n)])).toMatchObject([
    { kind: 'swept', receiver: BEN, amount: 9n },
  ])
})

const CAMPAIGN = `0x${'1d'.repeat(16)}`
const HEDGEY_LOCKED =
  'event LockedTokensClaimed(bytes16 indexed id, address indexed claimer, uint256 indexed tokenId, uint256 amountClaimed, uint256 amountRemaining)'

test('what leaves a campaign of Sablier’s without an event that is known is of nobody knows whom', () => {
  const claim = 'event Claim(uint256 index, address indexed recipient, uint128 amount)'
  const strange = log(claim, [0n, ADA, 9n])
  expect(readClaims('sablier_instant', [strange], [transfer(BEN, 9n)])).toMatchObject([
    { kind: 'unknown', owner: BEN, receiver: BEN, amount: 9n },
  ])
})

test('a claim at Hedgey’s counts for its campaign, where our token moved before it', () => {
  const paid = transfer(ADA, 100n)
  const ours = log(HEDGEY, [CAMPAIGN, ADA, 100n, 0n])
  const ofAnotherToken = log(HEDGEY, [CAMPAIGN, BEN, 100n, 0n], { transaction: 2 })
  expect(readClaims('hedgey', [ours, ofAnotherToken], [paid], CAMPAIGN)).toMatchObject([
    { kind: 'claimed', place: null, owner: ADA, amount: 100n },
  ])
  // Locked: the tokens go into a plan of the claimer.
  const locked = transfer(STREAMS, 70n, 3)
  const plan = log(HEDGEY_LOCKED, [CAMPAIGN, BEN, 5n, 70n, 0n], { transaction: 3 })
  expect(readClaims('hedgey', [plan], [locked], CAMPAIGN)).toMatchObject([
    { owner: BEN, receiver: BEN, amount: 70n },
  ])
})

test('a claim from another campaign of Hedgey’s contract is nobody’s, also in one transaction', () => {
  const other = `0x${'2e'.repeat(16)}`
  const logs = [
    transfer(ADA, 10n),
    log(HEDGEY, [other, ADA, 10n, 0n]),
    transfer(ADA, 100n),
    log(HEDGEY, [CAMPAIGN, ADA, 100n, 0n]),
  ]
  const ofToken = ({ address }: Log) => address === TOKEN
  const read = (campaign: string) =>
    readClaims(
      'hedgey',
      logs.filter((each) => !ofToken(each)),
      logs.filter(ofToken),
      campaign,
    )
  expect(read(CAMPAIGN)).toMatchObject([{ owner: ADA, amount: 100n }])
  expect(read(other)).toMatchObject([{ owner: ADA, amount: 10n }])
  expect(read(`0x${'3f'.repeat(16)}`)).toEqual([])
  expect(topicsOf('hedgey', CAMPAIGN)).toEqual([null, `${CAMPAIGN}${'0'.repeat(32)}`])
})

test('Hedgey’s contract sweeps nothing: what leaves it without a claim is of others', () => {
  expect(readClaims('hedgey', [], [transfer(BEN, 9n)], CAMPAIGN)).toEqual([])
})

test('logs that are no such event are left out', () => {
  const strange = log('event Claimed(uint256 index, address account)', [3n, ADA])
  expect(readClaims('uniswap', [strange], [])).toEqual([])
})
