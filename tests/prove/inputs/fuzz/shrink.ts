import type { Sent } from '#tests/prove/wire.ts'

const TRIES_MAX = 60
const SHOWN_MAX = 600

/**
 * The smallest request that still fails: without each header, field and part of its query that it
 * does not need, and with half of its body as long as that still fails.
 */
export async function shrink(sent: Sent, fails: (sent: Sent) => Promise<boolean>): Promise<Sent> {
  let smallest = sent
  let tries = 0
  let isSmaller = true
  while (isSmaller && tries < TRIES_MAX) {
    isSmaller = false
    for (const candidate of smallerThan(smallest)) {
      tries += 1
      if (tries > TRIES_MAX) break
      if (!(await fails(candidate))) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

function* smallerThan(sent: Sent): Generator<Sent> {
  for (const name of Object.keys(sent.headers)) {
    const { [name]: _without, ...headers } = sent.headers
    yield { ...sent, headers }
  }
  const [place = '', query] = sent.path.split('?')
  const parts = query?.split('&') ?? []
  for (const left of parts) {
    const kept = parts.filter((part) => part !== left).join('&')
    yield { ...sent, path: kept === '' ? place : `${place}?${kept}` }
  }
  if (sent.body === null || sent.body.length === 0) return
  for (const body of smallerBodies(sent.body)) yield { ...sent, body }
  yield { ...sent, body: null }
}

function* smallerBodies(body: Buffer): Generator<Buffer> {
  const fields = readFields(body)
  for (const name of Object.keys(fields ?? {})) {
    const { [name]: _without, ...rest } = fields ?? {}
    yield Buffer.from(JSON.stringify(rest))
  }
  if (fields === null) yield body.subarray(0, body.length >> 1)
}

function readFields(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/** A request as a person can repeat it, shortened if it is very long. */
export function describeRequest({ method, path, headers, body }: Sent): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${cut(String(value))}`)
  const text = body === null ? '' : ` ${cut(JSON.stringify(body.toString('latin1')))}`
  return `${method} ${cut(path)} {${lines.join('; ')}}${text}`
}

const cut = (text: string) =>
  text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}… (${text.length})`
