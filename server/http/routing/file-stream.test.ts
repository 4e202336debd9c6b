import { expect, test } from 'vitest'

import { inPlace } from './file-stream.ts'

async function* parts() {
  yield 'one'
  yield 'two'
}

test('four files are sent at a time, and another one once one of them has ended', async () => {
  const readers = Array.from({ length: 4 }, () => inPlace(parts()))
  for (const reader of readers) expect((await reader.next()).value).toBe('one')
  const refusal = { reason: 'Busy', details: { retryAfterSeconds: 10 } }
  await expect(inPlace(parts()).next()).rejects.toMatchObject(refusal)
  await readers[0]?.return(undefined)
  const next = inPlace(parts())
  expect((await next.next()).value).toBe('one')
  await expect(inPlace(parts()).next()).rejects.toMatchObject(refusal)
  for (const reader of [...readers, next]) for await (const _ of reader);
  expect((await inPlace(parts()).next()).value).toBe('one')
})
