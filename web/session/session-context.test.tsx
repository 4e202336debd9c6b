import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CallError } from '#web/lib/api/call.ts'
import { useSession } from './session-context.tsx'

test('a call for the session without one gets a 401', () => {
  function Lost() {
    useSession()
    return null
  }
  const fault = { code: 401, message: 'Context not provided' }
  expect(() => renderToString(<Lost />)).toThrow(CallError)
  expect(() => renderToString(<Lost />)).toThrow(expect.objectContaining(fault))
})
