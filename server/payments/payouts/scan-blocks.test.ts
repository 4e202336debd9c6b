import { expect, test } from 'vitest'
import { NotYet } from '#domain/unavailable.ts'
import { createQuestionPace } from './question-pace.ts'
import { createBlockScan } from './scan-blocks.ts'

function aScan() {
  const read: string[] = []
  const scan = createBlockScan({ unsettled: 5n, blocksARange: 10n, newBlocks: 20n })
  const runTo = (upTo: bigint | undefined, head: bigint, ...wanted: string[]) =>
    scan.scan(
      0n,
      head,
      new Set(wanted),
      async (from, to, all) => {
        read.push(`${from}-${to} ${[...all].join()}`)
        return [{ height: to }]
      },
      upTo,
    )
  return { read, runTo, run: runTo.bind(null, undefined) }
}

test('a range is read to its end over several calls, each with what was found before', async () => {
  const { read, run } = aScan()
  expect(await run(40n, 'a')).toMatchObject({ isWhole: false })
  expect(read).toEqual(['1-10 a', '11-20 a', '21-25 a'])
  const { items, isWhole } = await run(40n, 'a')
  expect(items.map(({ height }) => height)).toEqual([10n, 20n, 25n, 35n, 40n])
  expect(isWhole).toBe(true)
})

test('blocks that may still be replaced are read anew, deeper ones are not', async () => {
  const { read, run } = aScan()
  await run(12n, 'a')
  read.length = 0
  await run(13n, 'a')
  expect(read).toEqual(['8-13 a'])
})

test('blocks far below the end of the chain are read once, also the last that are asked for', async () => {
  const { read, runTo } = aScan()
  expect(await runTo(8n, 12n, 'a')).toMatchObject({ isWhole: true })
  expect(read).toEqual(['1-8 a'])
  read.length = 0
  await runTo(8n, 13n, 'a')
  expect(read).toEqual(['8-8 a'])
  read.length = 0
  expect(await runTo(8n, 14n, 'a')).toEqual({ items: [{ height: 8n }], isWhole: true })
  expect(read).toEqual([])
})

test('nothing is read again where less is wanted, and all of it where something is new', async () => {
  const { read, run } = aScan()
  await run(12n, 'a', 'b')
  read.length = 0
  await run(12n, 'b')
  expect(read).toEqual(['8-12 a,b'])
  read.length = 0
  await run(12n, 'b', 'c')
  expect(read).toEqual(['1-10 b,c', '11-12 b,c'])
})

test('nothing is read again of many questions that are asked in turn', async () => {
  const { read, run } = aScan()
  const questions = Array.from({ length: 150 }, (_, nth) => `question ${nth}`)
  for (const each of questions) await run(12n, each)
  read.length = 0
  for (const each of questions) await run(12n, each)
  expect(read).toEqual(questions.map((each) => `8-12 ${each}`))
})

test('a chain that has not grown is reported as it is', async () => {
  const { run } = aScan()
  await run(12n, 'a')
  expect(await run(0n, 'a')).toEqual({ items: [], isWhole: true })
})

test('the same question is asked every so often, and another one at once', () => {
  const aSearch = { sinceHeight: 1n, hashes: [] }
  const requireDue = createQuestionPace(60_000)
  requireDue('one', [], aSearch)
  requireDue('other', [], aSearch)
  requireDue('one', [], { ...aSearch, sinceHeight: 2n })
  requireDue('one', [], { ...aSearch, hashes: ['a'] })
  expect(() => requireDue('one', [], aSearch)).toThrow(NotYet)
  requireDue('one', [], { ...aSearch, isAnyTime: true })
  const atOnce = createQuestionPace(0)
  atOnce('one', [], aSearch)
  atOnce('one', [], aSearch)
})
