import { expect, it } from 'vitest'
import { type ClaimOrder, claimWithWallet } from './claim-call.ts'

const order: ClaimOrder = {
  chain_id: 1,
  contract: `0x${'cc'.repeat(20)}`,
  index: 3,
  account: `0x${'aa'.repeat(20)}`,
  amount: '500',
  proof: [],
}

it('tells to check first where a wallet lost its network and may have sent the claim', async () => {
  const provider = {
    request: async ({ method }: { method: string }) => {
      if (method === 'eth_requestAccounts') return ['0xme']
      if (method === 'eth_chainId') return '0x1'
      throw Object.assign(new Error('The wallet is offline'), { code: 4900 })
    },
  }
  const claimed = claimWithWallet({
    provider,
    order,
    readOrder: async () => order,
    onStep: () => {},
    onSent: () => {},
  })
  await expect(claimed).rejects.toMatchObject({ name: 'WalletRefusal', reason: 'failed' })
})
