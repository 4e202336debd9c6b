import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { authContract } from '#contract/auth.ts'
import { saleContract } from '#contract/sale.ts'
import { call, messageOf } from './call.ts'

afterEach(() => void vi.unstubAllGlobals())

/** What a call is rejected with when it is answered so. */
async function faultFor(reply: () => Response): Promise<unknown> {
  vi.stubGlobal('fetch', async () => reply())
  const body = { email: 'ada@example.com' }
  return call(authContract.forgotPassword, { body }).catch((error: unknown) => error)
}

/** What a page shows then. */
async function shownFor(reply: () => Response): Promise<string> {
  return messageOf(await faultFor(reply), 'Error sending password reset email')
}

const refusal = { code: 429, message: 'Wait a little', reason: 'TooManyRequests', request_id: 'r' }

test('the message of the server is shown, also without what else its bodies have', async () => {
  expect(await shownFor(() => Response.json(refusal, { status: 429 }))).toBe('Wait a little')
  const least = { code: 418, message: 'Short and stout' }
  expect(await shownFor(() => Response.json(least, { status: 418 }))).toBe('Short and stout')
})

test('a body without a code or a message is replaced with the page’s own words', async () => {
  for (const body of [{ code: 400 }, { message: 'Who says so?' }, {}, [], 'no', null]) {
    expect(await shownFor(() => Response.json(body, { status: 400 }))).toBe(
      'Error sending password reset email',
    )
  }
})

test('no body, no answer and no JSON are an internal server error with the code 500', async () => {
  const empty = () => new Response(null, { status: 502 })
  const page = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
  const away = () => {
    throw new TypeError('Failed to fetch')
  }
  for (const reply of [empty, page, away]) {
    expect(await faultFor(reply)).toMatchObject({ code: 500 })
    expect(await shownFor(reply)).toBe('Internal server error')
  }
})

test('a call has no time limit unless it is given one', async () => {
  const signals: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    signals.push(init.signal)
    return new Response(null, { status: 204 })
  })
  const input = { body: { email: 'ada@example.com' } }
  await call(authContract.forgotPassword, input)
  await call(authContract.forgotPassword, input, { timeoutMs: 1000 })
  expect(signals).toEqual([null, expect.any(AbortSignal)])
})

/** A query that asks by `call`, as those of the pages do, and what became of each question. */
function askByCall() {
  const asked: Promise<unknown>[] = []
  const optionsFor = (key: number) => ({
    queryKey: ['question', key],
    queryFn: ({ signal }: { signal: AbortSignal }) => {
      const question = call(saleContract.getPrices, {}, { signal })
      asked.push(question)
      return question
    },
  })
  const observer = new QueryObserver(new QueryClient(), optionsFor(1))
  const leave = observer.subscribe(() => undefined)
  return { asked, observer, leave, askAnew: () => observer.setOptions(optionsFor(2)) }
}

test('a call that a newer question superseded is rejected with Completed too late', async () => {
  const answers: ((reply: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => void answers.push(resolve)))
  const { asked, observer, askAnew, leave } = askByCall()
  const older = asked[0]?.catch((error: unknown) => error)
  askAnew()
  answers[1]?.(Response.json({ ETH: { USD: 2000 } }))
  await expect(asked[1]).resolves.toEqual({ ETH: { USD: 2000 } })
  answers[0]?.(Response.json({ ETH: { USD: 1000 } }))
  expect(await older).toMatchObject({ message: 'Completed too late' })
  expect(observer.getCurrentResult()).toMatchObject({ data: { ETH: { USD: 2000 } }, error: null })
  leave()
})

test('a call that its caller aborts is rejected at once, and no error is shown', async () => {
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  const { asked, askAnew, leave } = askByCall()
  askAnew()
  const fault = await asked[0]?.catch((error: unknown) => error)
  expect(fault).toMatchObject({ name: 'CompletedTooLate', message: 'Completed too late' })
  expect(messageOf(fault, 'Error getting transactions')).toBe('Error getting transactions')
  leave()
})

test('an error that is not a failed call is shown in the page’s own words', () => {
  expect(messageOf(new Error('a bug'), 'Error updating user')).toBe('Error updating user')
})
