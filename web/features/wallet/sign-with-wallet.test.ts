import { expect, it } from 'vitest'
import { signWithWallet } from './sign-with-wallet.ts'

const SIGNATURE = `0x${'ab'.repeat(65)}`
const ACCOUNT = '0xAbCdef0000000000000000000000000000000001'

type Answers = Record<string, () => unknown>

/** A wallet on the wanted chain, with these answers in place of its usual ones. */
function aSigning(own: Answers = {}, account: string | null = null) {
  const asked: { method: string; params?: readonly unknown[] | undefined }[] = []
  const usual: Answers = {
    eth_requestAccounts: () => [ACCOUNT],
    eth_chainId: () => '0x1',
    personal_sign: () => SIGNATURE,
  }
  const provider = {
    request: async (call: { method: string; params?: readonly unknown[] }) => {
      asked.push(call)
      return await (own[call.method] ?? usual[call.method])?.()
    },
  }
  const written: string[] = []
  const sign = () =>
    signWithWallet({
      provider,
      chainId: 1,
      account,
      write: async (signer) => {
        written.push(signer)
        return { signer: ACCOUNT, nonce: 'a-nonce', message: 'Grüße' }
      },
      onStep: () => {},
    })
  const methods = () => asked.map(({ method }) => method)
  return { sign, asked, methods, written }
}

const failWith = (code: number) => () => {
  throw Object.assign(new Error('The wallet fails'), { code })
}

it('has the account sign what the server has written for it, byte by byte', async () => {
  const { sign, asked, written } = aSigning()
  expect(await sign()).toEqual({ account: ACCOUNT, nonce: 'a-nonce', signature: SIGNATURE })
  expect(written).toEqual([ACCOUNT])
  expect(asked.at(-1)).toEqual({
    method: 'personal_sign',
    params: ['0x4772c3bcc39f65', ACCOUNT],
  })
})

it('names the account with its checksum, and asks the wallet by its own spelling', async () => {
  const lowerCase = ACCOUNT.toLowerCase()
  const { sign, asked } = aSigning({ eth_requestAccounts: () => [lowerCase] })
  expect(await sign()).toMatchObject({ account: ACCOUNT })
  expect(asked.at(-1)).toMatchObject({
    method: 'personal_sign',
    params: ['0x4772c3bcc39f65', lowerCase],
  })
})

it('asks no other account to sign than the one that has to', async () => {
  const { sign, methods } = aSigning({}, '0xabcdef0000000000000000000000000000000002')
  await expect(sign()).rejects.toMatchObject({ name: 'WrongAccount' })
  expect(methods()).not.toContain('personal_sign')
  expect(await aSigning({}, ACCOUNT.toLowerCase()).sign()).toMatchObject({ account: ACCOUNT })
})

it('goes on where the wallet does not know the chain, as a plain key needs none', async () => {
  const { sign, methods } = aSigning({
    eth_chainId: () => '0x89',
    wallet_switchEthereumChain: failWith(4902),
  })
  expect(await sign()).toMatchObject({ signature: SIGNATURE })
  expect(methods()).toContain('wallet_switchEthereumChain')
})

it.each<[string, Answers]>([
  ['the account', { eth_requestAccounts: failWith(4001) }],
  ['the chain', { eth_chainId: () => '0x89', wallet_switchEthereumChain: failWith(4001) }],
  ['the message', { personal_sign: failWith(4001) }],
])('ends where the person declines %s', async (_, answers) => {
  await expect(aSigning(answers).sign()).rejects.toMatchObject({ reason: 'rejected' })
})

it.each([[null], ['signed'], ['0x'], [{ signature: SIGNATURE }]])(
  'takes %j for no signature',
  async (answer) => {
    const { sign } = aSigning({ personal_sign: () => answer })
    await expect(sign()).rejects.toMatchObject({ reason: 'failed' })
  },
)
