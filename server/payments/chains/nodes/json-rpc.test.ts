import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { ExactNumber } from '#domain/exact-json.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { secret } from '#server/payments/variables.ts'
import type { Secret } from '#server/ports/runtime.ts'
import { createJsonRpc, RpcRefused } from './json-rpc.ts'
import { ANSWER_MB_MAX, postPatiently, postTwice } from './rpc-post.ts'

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
})

/** A node at an address that contains a key, and answers as it is configured to. */
async function nodeThat(answer: RequestListener, timeoutMs = 5_000) {
  return createJsonRpc(await addressOf(answer), timeoutMs)
}

async function addressOf(answer: RequestListener): Promise<Secret> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return secret(`http://user:pa%20ss@127.0.0.1:${port}/v3/a-key-of-the-operator`)
}

async function callNode(answer: RequestListener, timeoutMs?: number) {
  const node = await nodeThat(answer, timeoutMs)
  return await node.call('eth_chainId', [])
}

const saying =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.statusCode = status
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

describe('a node that speaks JSON-RPC', () => {
  test('is called with its login in a header', async () => {
    let header: string | undefined
    const result = await callNode((request, response) => {
      header = request.headers.authorization
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    })
    expect(result).toBe('0x1')
    expect(header).toBe(`Basic ${Buffer.from('user:pa ss').toString('base64')}`)
  })

  test('may refuse, with its reason', async () => {
    const refused = callNode(saying({ id: 1, error: { code: -32000, message: 'pruned\n state' } }))
    await expect(refused).rejects.toThrow(RpcRefused)
    await expect(refused).rejects.toThrow(/refuses eth_chainId: pruned state$/)
  })

  test.each([
    ['garbage', saying('<html>'), 'unreadable'],
    ['an answer to another call', saying({ id: 9, result: '0x1' }), 'unreadable'],
    ['no result', saying({ id: 1 }), 'unreadable'],
    ['a list', saying([]), 'unreadable'],
    ['an error of HTTP', saying('slow down', 429), 'with status 429'],
    [
      'a refusal of so many calls',
      saying({ id: 1, error: { code: -32000, message: 'state' } }, 429),
      'with status 429',
    ],
    ['a way to somewhere else', redirecting(), 'cannot be reached'],
  ])('is not believed when it answers with %s', async (_, answer, reason) => {
    const fault = await callNode(answer).then(String, (error: unknown) => error as Error)
    expect(fault).toMatchObject({ name: 'Unavailable' })
    expect(fault).not.toBeInstanceOf(RpcRefused)
    expect(String(fault)).toContain(reason)
    expect(String(fault)).not.toContain('a-key-of-the-operator')
  })

  test('is not waited for forever, also in the middle of its answer', async () => {
    const hanging = callNode((_, response) => void response.write('{"jsonrpc"'), 100)
    await expect(hanging).rejects.toThrow(/did not answer within 0.1 s \(eth_chainId\)$/)
  })

  test.each([
    ['usually', postTwice],
    ['patiently', postPatiently],
  ])('is not listened to for ever, neither %s', async (_, send) => {
    let sent = 0
    function* megabytes() {
      for (; sent < 300; sent += 1) yield ' '.repeat(1_000_000)
    }
    const url = await addressOf((_request, response) => {
      Readable.from(megabytes()).pipe(response)
    })
    // Long enough that what was sent ends it, however busy the machine is.
    const endless = createJsonRpc(url, 60_000, send, 1).call('eth_chainId', [])
    await expect(endless).rejects.toThrow(/answers eth_chainId with more than 1 MB$/)
    expect(sent).toBeLessThan(100)
    expect(ANSWER_MB_MAX, 'the usual bound').toBe(128)
  })

  test('is waited for as long as it takes, where that is wanted', async () => {
    const { promise: isGivenUp, resolve: giveUp } = Promise.withResolvers<void>()
    const url = await addressOf((_, response) => {
      void isGivenUp.then(() => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
    })
    const undo = await waitLess()
    try {
      const patient = createJsonRpc(url, 60_000, postPatiently).call('scantxoutset', [])
      const usual = createJsonRpc(url, 60_000).call('scantxoutset', [])
      await expect(usual).rejects.toThrow('cannot be reached')
      giveUp()
      expect(await patient).toBe('0x1')
    } finally {
      undo()
    }
  })

  test.each<[string, RequestListener]>([
    ['silent', () => {}],
    ['stuck', (_, response) => void response.write('{"jsonrpc"')],
  ])('is not waited for forever there either, when it is %s', async (_, answer) => {
    const node = createJsonRpc(await addressOf(answer), 200, postPatiently)
    await expect(node.call('scantxoutset', [])).rejects.toThrow(
      /did not answer within 0.2 s \(scantxoutset\)$/,
    )
  })

  test('is asked again if it only closed a connection', async () => {
    let calls = 0
    const result = await callNode((request, response) => {
      calls += 1
      if (calls === 1) request.socket.destroy()
      else response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    })
    expect(result).toBe('0x1')
  })

  test('gives numbers as they were written where it is asked exactly', async () => {
    const text = '{"id":"1","result":{"value":98765432109.87654321},"error":null}'
    const node = await nodeThat(saying(text))
    expect(await node.callExactly('getblock', [])).toEqual({
      value: new ExactNumber('98765432109.87654321'),
    })
    const silent = await nodeThat(saying('{"id":"1","error":{"code":-1,"message":"pruned"}}'))
    await expect(silent.callExactly('getblock', [])).rejects.toThrow(/refuses getblock: pruned$/)
  })

  test('answers many calls at once, in whatever order, and may refuse some', async () => {
    const error = { code: -5, message: 'No such transaction' }
    const answers = [
      { id: 2, result: null, error },
      { id: 1, result: 'first', error: null },
    ]
    const node = await nodeThat(saying(answers))
    const [first, second] = await node.callEach('getrawtransaction', [['a'], ['b']])
    expect(first).toBe('first')
    expect(second).toBeInstanceOf(RpcRefused)
    expect(second).toMatchObject({ code: -5 })
  })

  test.each([
    ['one answer', { id: 1, result: 'first' }],
    ['too few answers', [{ id: 1, result: 'first' }]],
    ['garbage', 'busy'],
  ])('is not believed when it answers many calls with %s', async (_, answer) => {
    const node = await nodeThat(saying(answer))
    const calls = [['a'], ['b']]
    await expect(node.callEach('getrawtransaction', calls)).rejects.toThrow('unreadable')
  })
})

function redirecting(): RequestListener {
  return (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' })
    response.end()
  }
}

/**
 * The platform's own `fetch` gives up after five minutes without an answer, whatever its options.
 * Here it does so after a moment. Returns the function that restores it.
 */
async function waitLess(): Promise<() => void> {
  await fetch('data:,')
  const place = Symbol.for('undici.globalDispatcher.1')
  const usual: unknown = Reflect.get(globalThis, place)
  const { constructor: Agent } = usual as { constructor: new (options: object) => object }
  Reflect.set(globalThis, place, new Agent({ headersTimeout: 200 }))
  return () => Reflect.set(globalThis, place, usual)
}
