import { describe, expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'

/** Batches that end only when the test ends them. */
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

/** Two passes of the event loop: the batcher itself waits for the end of one. */
const soon = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
}

describe('a batcher', () => {
  it('runs together what arrives together, and gathers what arrives meanwhile', async () => {
    const { batches, run } = heldBatches()
    const ask = createBatcher({ run, batchMax: 10, waitingMax: 10 })
    const together = [ask('a'), ask('b')]
    await soon()
    expect(batches.map(({ requests }) => requests)).toEqual([['a', 'b']])
    const meanwhile = [ask('c'), ask('d')]
    await soon()
    expect(batches).toHaveLength(1)
    batches[0]?.finish()
    expect(await Promise.all(together)).toEqual(['A', 'B'])
    await soon()
    expect(batches[1]?.requests).toEqual(['c', 'd'])
    batches[1]?.finish()
    expect(await Promise.all(meanwhile)).toEqual(['C', 'D'])
  })

  it('puts no more than its bound into a batch', async () => {
    const { batches, run } = heldBatches()
    const ask = createBatcher({ run, batchMax: 2, waitingMax: 10 })
    const replies = ['a', 'b', 'c'].map((text) => ask(text))
    await soon()
    batches[0]?.finish()
    await soon()
    batches[1]?.finish()
    expect(await Promise.all(replies)).toEqual(['A', 'B', 'C'])
    expect(batches.map(({ requests }) => requests)).toEqual([['a', 'b'], ['c']])
  })

  it('keeps requests with the same key apart, in their order', async () => {
    const { batches, run } = heldBatches()
    const ask = createBatcher({
      run,
      batchMax: 10,
      waitingMax: 10,
      keyOf: (text) => text[0] ?? '',
    })
    const replies = ['a1', 'a2', 'b1', 'a3'].map((text) => ask(text))
    for (let round = 0; round < 3; round += 1) {
      await soon()
      batches[round]?.finish()
    }
    expect(await Promise.all(replies)).toEqual(['A1', 'A2', 'B1', 'A3'])
    expect(batches.map(({ requests }) => requests)).toEqual([['a1', 'b1'], ['a2'], ['a3']])
  })

  it('refuses with Busy what comes when too many wait', async () => {
    const { batches, run } = heldBatches()
    const ask = createBatcher({ run, batchMax: 1, waitingMax: 2 })
    const running = ask('running')
    await soon()
    const served = [running, ask('one'), ask('two')]
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
    const ask = createBatcher({ run, batchMax: 10, waitingMax: 10 })
    const failing = ask('a')
    await soon()
    const next = ask('b')
    batches[0]?.fail(new Error('the database is gone'))
    await expect(failing).rejects.toThrow('the database is gone')
    await soon()
    batches[1]?.finish()
    expect(await next).toBe('B')
  })

  it('runs each by itself where one of them may be at fault', async () => {
    const ask = createBatcher<string, string>({
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
