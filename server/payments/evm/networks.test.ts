import { expect, test } from 'vitest'
import { NATIVE } from './calls/read-balances.ts'
import { explorerUrl, nameByBlock } from './networks.ts'

const hash = `0x${'a'.repeat(64)}`

test.each([
  [1, 'https://etherscan.io'],
  [56, 'https://bscscan.com'],
  [137, 'https://polygonscan.com'],
])('transfers on chain %i are shown by %s', (chainId, explorer) => {
  expect(explorerUrl(chainId, hash)).toBe(`${explorer}/tx/${hash}`)
  const contract = `0x${'b'.repeat(40)}`
  for (const asset of [NATIVE, contract]) {
    expect(explorerUrl(chainId, nameByBlock(hash, asset))).toBe(`${explorer}/block/${hash}`)
  }
  expect(nameByBlock(hash, NATIVE)).not.toBe(nameByBlock(hash, contract))
})

test('other chains have no explorer link', () => {
  expect(explorerUrl(31_337, hash)).toBeNull()
})
