import { expect, test } from 'vitest'
import { cryptoAmount } from '#domain/money.ts'
import type { SightedTransfer } from '#server/ports/rail.ts'
import type { Block } from './blocks/block.ts'
import { type Cursor, cursorAt, parseCursor } from './blocks/cursor.ts'
import { createBranchReader } from './read-branch.ts'

const blockAt = (height: number): Block => ({
  number: BigInt(height),
  hash: `0x${height.toString(16).padStart(64, '0')}`,
  parentHash: `0x${(height - 1).toString(16).padStart(64, '0')}`,
  timestamp: 1_700_000_000n,
})

const node = { host: 'node.example' }

/** @param waiting What its node says that waits for a block. */
const aReader = (waiting: readonly SightedTransfer[] = []) =>
  createBranchReader<typeof node>({
    source: {
      name: 'chain',
      batch: { first: 10, max: 10 },
      faults: {},
      connect: async () => {},
      look: async () => {
        throw new Error('The follower looks')
      },
      startAt: async () => cursorAt(blockAt(1)),
      readRange: async (_node, { from, to }) => ({
        blocks: Array.from({ length: Number(to - from.height) }, (_, place) =>
          blockAt(Number(from.height) + 1 + place),
        ),
        transfers: [],
        isComplete: true,
      }),
      readPending: async () => ({ transfers: waiting, isWhole: false, forgotten: [], unseen: [] }),
    },
    record: { listAbove: async () => [], sumUpTo: async () => [] },
  })

test('a node rests only where the reading found nothing that was not known before', async () => {
  const head = blockAt(3)
  const read = aReader()
  const state = {
    head,
    restSince: ({ tip }: Cursor) => (tip.hash === head.hash ? ('stale' as const) : null),
    pending: null,
  }
  const progressFrom = async (height: number) =>
    (await read(node, state, cursorAt(blockAt(height)), { kind: 'grown' })).progress

  expect(await progressFrom(1)).toBe('current')
  expect(await progressFrom(3)).toBe('stale')
})

test('whatever is reported moves the cursor, so that no earlier reading is recorded after it', async () => {
  const head = blockAt(3)
  const transfer: SightedTransfer = {
    transactionHash: 'a',
    index: 0,
    address: 'ours',
    paymentTokenId: 'btc',
    amount: cryptoAmount(5n),
    blockHeight: null,
    sentAt: new Date('2026-01-02T03:04:05Z'),
    isGone: false,
  }
  const pending = { ids: ['a'], listedAt: new Date('2026-01-02T03:05:00Z') }
  const state = { head, restSince: () => null, pending }
  const at = cursorAt(head)
  const cursorAfter = async (waiting: readonly SightedTransfer[]) => {
    const { reading } = await aReader(waiting)(node, state, at, { kind: 'grown' })
    return parseCursor(reading.cursor)
  }

  expect(await cursorAfter([])).toEqual(at)
  expect(await cursorAfter([transfer])).not.toEqual(at)
})
