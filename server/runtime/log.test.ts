import { expect, test, vi } from 'vitest'

import { createLog } from './log.ts'

test('an entry is one JSON object on one line, whatever its facts contain', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const name = 'Ada\r\n{"level":"error","message":"made up"}\u2028'
  createLog('info').warn({ name, fault: new Error('a\nb') }, 'Somebody\nsaid this')
  const written = write.mock.calls.map(([text]) => String(text))
  write.mockRestore()
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^[^\r\n]+\n$/)
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    level: 'warn',
    name,
    message: 'Somebody\nsaid this',
    fault: { message: 'a\nb' },
  })
})
