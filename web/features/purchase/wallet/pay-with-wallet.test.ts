import { afterEach, expect, it, vi } from 'vitest'
import { payWithWallet } from './pay-with-wallet.ts'
import type { WalletOrder } from './wallet-order.ts'

const ORDER: WalletOrder = { chainId: 1, recipient: '0xaa', contract: null, amount: 500n }
const HASH = `0x${'ab'.repeat(32)}`

type Answers = Record<string, () => unknown>

/** A wallet that holds a million, with these answers instead of its usual ones. */
function aPayment(own: Answers = {}, order: WalletOrder = ORDER) {
  let chain = '0x1'
  const asked: string[] = []
  const sent: string[] = []
  const usual: Answers = {
    eth_requestAccounts: () => ['0xme'],
    eth_chainId: () => chain,
    wallet_switchEthereumChain: () => (chain = '0x1'),
    eth_getBalance: () => '0xf4240',
    eth_call: () => '0xf4240',
    eth_sendTransaction: () => HASH,
  }
  const provider = {
    request: async ({ method }: { method: string }) => {
      asked.push(method)
      return await (own[method] ?? usual[method])?.()
    },
  }
  const switchTo = (id: string) => {
    chain = id
  }
  const pay = (readOrder = async (): Promise<WalletOrder | null> => order) =>
    payWithWallet({
      provider,
      order,
      readOrder,
      onStep: () => {},
      onSent: (hash) => void sent.push(hash),
    })
  return { pay, asked, sent, switchTo }
}

/** Rejects as wallets do: with an error that has a code, or with anything at all. */
const failWith = (details: object) => () => {
  throw Object.assign(new Error('The wallet fails'), details)
}

afterEach(() => {
  vi.useRealTimers()
})

it('asks for nothing that it does not need', async () => {
  const { pay, asked, sent } = aPayment()
  await pay()
  expect(sent).toEqual([HASH])
  expect(asked).toEqual([
    'eth_requestAccounts',
    'eth_chainId',
    'eth_getBalance',
    'eth_chainId',
    'eth_sendTransaction',
  ])
})

it('goes on where a wallet cannot tell what it holds', async () => {
  const { pay, sent } = aPayment({ eth_getBalance: failWith(new Error('no')) })
  await pay()
  expect(sent).toEqual([HASH])
})

const nested = { code: -32603, data: { originalError: { code: 4902, message: 'Unrecognized' } } }

it.each<[string, string, Answers]>([
  ['rejected', 'the account was declined', { eth_requestAccounts: failWith({ code: 4001 }) }],
  ['rejected', 'the payment was declined', { eth_sendTransaction: failWith({ code: 4001 }) }],
  ['locked', 'there is no account', { eth_requestAccounts: () => [] }],
  ['locked', 'no account is shared', { eth_requestAccounts: failWith({ code: 4100 }) }],
  ['busy', 'a question is open', { eth_requestAccounts: failWith({ code: -32002 }) }],
  ['disconnected', 'it is offline', { eth_chainId: failWith({ code: 4900 }) }],
  ['insufficient', 'the balance is short', { eth_getBalance: () => '0x1f3' }],
  [
    'insufficient',
    'the fee is too much',
    {
      eth_sendTransaction: failWith({
        code: -32000,
        message: 'insufficient funds for gas * price + value',
      }),
    },
  ],
  ['failed', 'the answer is no hash', { eth_sendTransaction: () => ({ ok: true }) }],
  [
    'failed',
    'it fails in words only',
    { eth_sendTransaction: failWith({ message: 'out of order' }) },
  ],
])('tells of %s where %s, and sends nothing', async (reason, _, answers) => {
  const { pay, sent } = aPayment(answers)
  await expect(pay()).rejects.toMatchObject({ name: 'WalletRefusal', reason })
  expect(sent).toEqual([])
})

it.each<[string, string, Answers]>([
  ['unknownChain', 'does not know the chain', { wallet_switchEthereumChain: failWith(nested) }],
  ['rejected', 'declines', { wallet_switchEthereumChain: failWith({ code: 4001 }) }],
  ['wrongChain', 'says yes and stays', { wallet_switchEthereumChain: () => null }],
  ['wrongChain', 'cannot switch', { wallet_switchEthereumChain: failWith({ code: 4200 }) }],
])('tells of %s where a wallet on another chain %s', async (reason, _, answers) => {
  const { pay, asked, switchTo } = aPayment(answers)
  switchTo('0x89')
  await expect(pay()).rejects.toMatchObject({ reason })
  expect(asked).not.toContain('eth_sendTransaction')
})

it('does not send where the wallet is turned to another chain at the last moment', async () => {
  const { pay, asked, switchTo } = aPayment()
  const readOrder = async () => {
    switchTo('0x89')
    return ORDER
  }
  await expect(pay(readOrder)).rejects.toMatchObject({ reason: 'wrongChain' })
  expect(asked).not.toContain('eth_sendTransaction')
})

it.each<[string, () => Promise<WalletOrder | null>]>([
  ['notDue', async () => null],
  ['changed', async () => ({ ...ORDER, amount: 499n })],
  ['changed', async () => ({ ...ORDER, recipient: '0xbb' })],
  ['unreachable', () => Promise.reject(new Error('offline'))],
])('asks the server last, and does not send where that says %s', async (reason, readOrder) => {
  const { pay, asked } = aPayment()
  await expect(pay(readOrder)).rejects.toMatchObject({ reason })
  expect(asked).not.toContain('eth_sendTransaction')
})

it.each([4900, 4901])(
  'does not say that nothing was sent where that is not known (%i)',
  async (code) => {
    const { pay } = aPayment({ eth_sendTransaction: failWith({ code }) })
    await expect(pay()).rejects.toMatchObject({ reason: 'failed' })
  },
)

it('looks at the tokens of an account where tokens are due', async () => {
  const { pay, asked } = aPayment(
    { eth_call: () => `0x${'0'.repeat(61)}1f3` },
    { ...ORDER, contract: '0xcc' },
  )
  await expect(pay()).rejects.toMatchObject({ reason: 'insufficient' })
  expect(asked).not.toContain('eth_getBalance')
})

it('gives up waiting for a confirmation, and still hears of one that comes late', async () => {
  vi.useFakeTimers()
  const answer = Promise.withResolvers<string>()
  const { pay, sent } = aPayment({ eth_sendTransaction: () => answer.promise })
  const refused = pay().catch((refusal: unknown) => refusal)
  await vi.advanceTimersByTimeAsync(300_000)
  expect(await refused).toMatchObject({ reason: 'timeout' })
  expect(sent).toEqual([])
  answer.resolve(HASH)
  await vi.advanceTimersByTimeAsync(0)
  expect(sent).toEqual([HASH])
})

it('does not wait for ever for a wallet that never answers', async () => {
  vi.useFakeTimers()
  const { pay } = aPayment({ eth_requestAccounts: () => new Promise(() => {}) })
  const refused = pay().catch((refusal: unknown) => refusal)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await refused).toMatchObject({ reason: 'timeout' })
})
