import { expect, test } from 'vitest'
import { type RowSight, rowState, tokensArrived } from './delivery-state.ts'

const deep = (amount: bigint): RowSight => ({ kind: 'sent', amount, isDeep: true })
const shallow = (amount: bigint): RowSight => ({ ...deep(amount), isDeep: false })
const open = { isSwept: false, hasEnded: false }
const swept: RowSight = { ...deep(10n), kind: 'swept' }

test.each([
  ['nothing was seen', 'plain', [], 'published'],
  ['all of it is deep', 'plain', [deep(10n)], 'delivered'],
  ['it may still be taken back', 'plain', [shallow(10n)], 'claimed'],
  ['a part is missing', 'plain', [deep(4n), deep(5n)], 'claimed'],
  ['its parts are all there', 'plain', [deep(4n), deep(6n)], 'delivered'],
  ['its last part may still be taken back', 'plain', [deep(4n), shallow(6n)], 'claimed'],
  ['a contract pays once and the token keeps a part', 'uniswap', [deep(9n)], 'delivered'],
  ['what a contract paid may still be taken back', 'uniswap', [shallow(10n)], 'claimed'],
] as const)('ten tokens: %s', (_, tool, seen, state) => {
  expect(rowState(tool, 10n, seen, open)).toBe(state)
})

test('is swept only if nobody was paid', () => {
  const isSwept = { ...open, isSwept: true }
  expect(rowState('uniswap', 10n, [swept], isSwept)).toBe('swept')
  expect(rowState('uniswap', 10n, [deep(10n), swept], isSwept)).toBe('delivered')
})

test('a part is delivered once nothing more comes of its list', () => {
  const ended = { ...open, hasEnded: true }
  expect(rowState('plain', 10n, [deep(9n)], ended)).toBe('delivered')
  expect(rowState('plain', 10n, [shallow(9n)], ended)).toBe('claimed')
})

test.each([
  ['nothing', 'plain', 0n, 0n],
  ['all', 'plain', 3n, 7n],
  ['more than all', 'plain', 4n, 7n],
  ['a third, rounded up', 'plain', 1n, 3n],
  ['two thirds, rounded up', 'plain', 2n, 5n],
  ['all of what a contract pays once', 'uniswap', 1n, 7n],
  ['nothing from a contract', 'uniswap', 0n, 0n],
] as const)('an ended row hands out %s', (_, tool, arrived, tokens) => {
  expect(tokensArrived(tool, { tokens: 7n, amount: 3n }, arrived)).toBe(tokens)
})
