import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CallError } from '#web/lib/api/call.ts'
import { useSession } from './session-context.tsx'

test('whoever asks for the session where there is none is told so with a 401', () => {
  function Lost() {
    useSession()
    return null
  }
  const fault = { code: 401, message: 'Context not provided' }
  expect(() => renderToString(<Lost />)).toThrow(CallError)
  expect(() => renderToString(<Lost />)).toThrow(expect.objectContaining(fault))
})
