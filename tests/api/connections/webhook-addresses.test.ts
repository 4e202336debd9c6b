import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { connectionsContract } from '#contract/operator/connections.ts'
import {
  askNameServers,
  createWebhookSender,
  type Resolve,
} from '#server/runtime/webhook-sender.ts'
import { isPublicAddress } from '#server/runtime/public-addresses.ts'
import {
  anEndpoint,
  deliverDue,
  deliveriesOf,
  testEndpoint,
} from '#tests/kit/connections/a-webhook.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { type NameServer, startNameServer } from '#tests/kit/connections/name-server.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'
import { startWebhookReceiver } from '#tests/kit/connections/webhook-receiver.ts'

/** What each name leads to; a test may change it, as whoever has the name may. */
const names = new Map<string, string[]>()
const resolve: Resolve = (hostname, callback) => {
  const addresses = names.get(hostname)
  if (addresses === undefined) {
    return callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
  }
  callback(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  )
}

const privateAddresses = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.8.8.8',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
]

describe('an address', () => {
  test.each(privateAddresses)('%s is not of the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('an endpoint', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ webhooks: { resolve } })
  })
  afterAll(() => app.close())

  const create = (url: string) =>
    app.client.call(
      connectionsContract.createWebhook,
      { headers: named, body: { url, events: ['sale.paused'] } },
      operator,
    )

  test.each([
    'http://example.com/hook',
    'ftp://example.com',
    'example.com',
    'https://',
    'https://user:secret@example.com',
    'https://10.0.0.1/hook',
    'https://0x0a.1/',
    'https://2130706434/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'javascript:alert(1)',
  ])('is none at %s', async (url) => {
    const { refusal } = await create(url)
    expect(refusal).toMatchObject({ code: 400, errors: [{ path: 'url' }] })
    expect(refusal.errors?.[0]?.message).toMatch(/^(Give|Leave|This)/)
  })

  test.each(privateAddresses)('whose name leads to %s gets nothing', async (address) => {
    names.set('inside.example.com', [address])
    const { id } = await anEndpoint(app, 'https://inside.example.com/hook', ['sale.paused'])
    await testEndpoint(app, id)
    await deliverDue(app)
    const [delivery] = await deliveriesOf(app, id)
    expect(delivery).toMatchObject({ state: 'waiting', last_status: null })
    expect(delivery?.last_fault).toContain('private address')
    await app.client.call(
      connectionsContract.endWebhook,
      { params: { id }, headers: named },
      operator,
    )
  })

  test('gets nothing where one of its addresses is private', async () => {
    names.set('both.example.com', ['1.1.1.1', '10.0.0.1'])
    const sender = createWebhookSender({ isSandbox: false, resolve })
    const stop = new AbortController().signal
    const call = { url: 'https://both.example.com/', headers: {}, body: '{}', stop }
    await expect(sender.post(call)).rejects.toThrow('private address')
  })

  test('with an unknown name is reported as such', async () => {
    const { id } = await anEndpoint(app, 'https://nowhere.example.com/', ['sale.paused'])
    await testEndpoint(app, id)
    await deliverDue(app)
    expect((await deliveriesOf(app, id))[0]?.last_fault).toBe('The host’s name is not known')
  })
})

describe('the name of a host', () => {
  const post = (nameServer: NameServer, host: string, stop = new AbortController().signal) => {
    const resolve = askNameServers([nameServer.address])
    const sender = createWebhookSender({ isSandbox: false, resolve })
    return sender.post({ url: `https://${host}/hook`, headers: {}, body: '{}', stop })
  }

  test('leads where its name server says, or nowhere', async () => {
    const server = await startNameServer({ 'inside.example.com': '10.0.0.1' })
    await expect(post(server, 'inside.example.com')).rejects.toThrow('private address')
    await expect(post(server, 'nowhere.example.com')).rejects.toThrow('name is not known')
    await server.close()
  })

  test('that no name server answers for keeps none of those waiting that the process needs', async () => {
    const server = await startNameServer(null)
    const stopping = new AbortController()
    const posts = Array.from({ length: 4 }, () => post(server, 'example.com', stopping.signal))
    await expect.poll(() => server.asked).toBeGreaterThanOrEqual(posts.length)
    expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap')
    stopping.abort()
    const ended = await Promise.allSettled(posts)
    expect(ended.map(({ status }) => status)).toEqual(posts.map(() => 'rejected'))
    await server.close()
  })
})

describe('this machine', () => {
  test('is reached in a sandbox alone', async () => {
    const receiver = await startWebhookReceiver()
    const stop = new AbortController().signal
    const call = { url: receiver.url, headers: {}, body: '{}', stop }
    await createWebhookSender({ isSandbox: true, resolve }).post(call)
    expect(receiver.received).toHaveLength(1)
    const real = createWebhookSender({ isSandbox: false, resolve })
    expect(real.faultOf(receiver.url)).not.toBeNull()
    expect(real.faultOf(receiver.url.replace('http:', 'https:'))).not.toBeNull()
    await expect(real.post(call)).rejects.toThrow('Give an address')
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })

  test.each(['localhost', '127.0.0.1', '[::1]'])(
    'is not reached as %s outside of a sandbox',
    async (host) => {
      const sender = createWebhookSender({ isSandbox: false })
      const url = `https://${host}:9/hook`
      expect(sender.faultOf(url)).toMatch(/^This is an address of/)
      const call = { url, headers: {}, body: '{}', stop: new AbortController().signal }
      await expect(sender.post(call)).rejects.toThrow('This is an address of')
    },
  )

  test('is not reached by a name that leads to it, in a sandbox neither', async () => {
    names.set('rebound.example.com', ['127.0.0.1'])
    const sender = createWebhookSender({ isSandbox: true, resolve })
    const stop = new AbortController().signal
    const call = { url: 'https://rebound.example.com/', headers: {}, body: '{}', stop }
    await expect(sender.post(call)).rejects.toThrow('private address')
  })
})
