import { describe, expect, it } from 'vitest'
import { createGrouping } from './grouping.ts'

/** Batches that end only when they are told to. */
function heldBatches() {
  const batches: { requests: readonly string[]; finish: () => void; fail: (e: Error) => void }[] =
    []
  const run = (requests: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const finish = () => resolve(requests.map((request) => request.toUpperCase()))
      batches.push({ requests, finish, fail: reject })
    })
  return { batches, run }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('grouping', () => {
  it('runs a lone request at once and gathers what arrives meanwhile', async () => {
    const { batches, run } = heldBatches()
    const ask = createGrouping({ run, batchMax: 10, waitingMax: 10 })
    const [a, b, c] = [ask('a'), ask('b'), ask('c')]
    expect(batches.map(({ requests }) => requests)).toEqual([['a']])
    batches[0]?.finish()
    expect(await a).toBe('A')
    await soon()
    expect(batches[1]?.requests).toEqual(['b', 'c'])
    batches[1]?.finish()
    expect(await Promise.all([b, c])).toEqual(['B', 'C'])
  })

  it('keeps requests with the same key apart, in their order', async () => {
    const { batches, run } = heldBatches()
    const ask = createGrouping({
      run,
      batchMax: 10,
      waitingMax: 10,
      keyOf: (text) => text[0] ?? '',
    })
    const replies = ['x', 'a1', 'a2', 'b1', 'a3'].map((text) => ask(text))
    for (let round = 0; round < 4; round += 1) {
      batches[round]?.finish()
      await soon()
    }
    expect(batches.map(({ requests }) => requests)).toEqual([['x'], ['a1', 'b1'], ['a2'], ['a3']])
    expect(await Promise.all(replies)).toEqual(['X', 'A1', 'A2', 'B1', 'A3'])
  })

  it('refuses with Busy what comes when too many wait', async () => {
    const { batches, run } = heldBatches()
    const ask = createGrouping({ run, batchMax: 1, waitingMax: 2 })
    const served = [ask('running'), ask('one'), ask('two')]
    await expect(ask('three')).rejects.toMatchObject({
      reason: 'Busy',
      details: { retryAfterSeconds: 1 },
    })
    for (let round = 0; round < 3; round += 1) {
      batches[round]?.finish()
      await soon()
    }
    expect(await Promise.all(served)).toEqual(['RUNNING', 'ONE', 'TWO'])
  })

  it('fails a whole batch with its cause, and goes on with the next', async () => {
    const { batches, run } = heldBatches()
    const ask = createGrouping({ run, batchMax: 10, waitingMax: 10 })
    const failed = expect(ask('a')).rejects.toThrow('the database is gone')
    const next = ask('b')
    batches[0]?.fail(new Error('the database is gone'))
    await failed
    await soon()
    batches[1]?.finish()
    expect(await next).toBe('B')
  })

  it('runs each by itself where one of them may be at fault', async () => {
    const ask = createGrouping<string, string>({
      batchMax: 10,
      waitingMax: 10,
      isFaultOfOne: () => true,
      run: async (batch) => {
        await soon()
        if (batch.includes('bad')) throw new Error('a bad one')
        return batch.map((text) => text.toUpperCase())
      },
    })
    const replies = await Promise.allSettled(['first', 'a', 'bad', 'b'].map((text) => ask(text)))
    expect(replies.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })
})
