import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { claimCall } from './claim-call.ts'

test('the call is the one that a library makes of the contract’s interface', () => {
  const proof = [`0x${'1a'.repeat(32)}`, `0x${'2b'.repeat(32)}`] as const
  const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const order = { chain_id: 1, contract: account, index: 70_000, account, amount: '10', proof }
  expect(claimCall({ ...order, proof: [...proof] })).toBe(
    encodeFunctionData({
      abi: parseAbi([
        'function claim(uint256 index, address account, uint256 amount, bytes32[] merkleProof)',
      ]),
      args: [70_000n, account, 10n, proof],
    }),
  )
})
