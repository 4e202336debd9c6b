import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import type { SweepList } from '#contract/operator/sweeps.ts'
import { projectRoot } from '#tools/project.ts'
import { signSweep, summaryOf } from './sign-sweep.ts'

const WORDS = `${'abandon '.repeat(11)}about`
const TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const STRANGER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const coin = { symbol: 'ETH', contract: null, decimals: 18 }
const usdt = { symbol: 'USDT', contract: TOKEN, decimals: 6 }

/** What the server lists of the wallet that BIP-39 gives as an example. */
const list: SweepList = {
  kind: 'sweep-list/1',
  chain_id: 1,
  key_fingerprint: '7c2f11bdf26ee028',
  treasury: TREASURY,
  made_date: '2026-11-23T01:02:13.854Z',
  gas_price: '1000000000',
  payer: {
    address: '0x399Db6Ed32539fbDF44c3e7678b5b428e378F666',
    nonce: 4,
    balance: '0',
    needs: '0.000091',
  },
  fundings: [
    { address: '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0', amount: '0.00007', gas: 21_000 },
  ],
  transfers: [
    {
      address: '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
      index: 1,
      nonce: 0,
      ...usdt,
      amount: '250.5',
      gas: 70_000,
    },
    {
      address: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      index: 0,
      nonce: 3,
      ...coin,
      amount: '0.1',
      gas: 21_000,
    },
  ],
  totals: [
    { ...usdt, amount: '250.5', count: 1 },
    { ...coin, amount: '0.1', count: 1 },
  ],
  left_out: [],
}
const [inTokens, inCoins] = list.transfers as [SweepList['transfers'][0], SweepList['transfers'][0]]
const [funding] = list.fundings as [SweepList['fundings'][0]]

describe('a list that was checked', () => {
  test('is signed whole, the gas first, and each transaction to the treasury', async () => {
    const signed = await signSweep(list, WORDS, TREASURY)
    const read = signed.transactions.map((raw) => parseTransaction(raw as `0x${string}`))
    expect(read).toMatchObject(
      [
        { chainId: 1, nonce: 4, to: funding.address, value: 70_000n * 10n ** 9n, gas: 21_000n },
        { chainId: 1, to: TOKEN, gas: 70_000n, data: expect.stringContaining('a9059cbb') },
        { chainId: 1, nonce: 3, to: TREASURY.toLowerCase(), value: 10n ** 17n },
      ].map((each) => ({ ...each, to: expect.stringMatching(new RegExp(each.to, 'i')) })),
    )
    expect(read[1]?.data).toContain(TREASURY.slice(2).toLowerCase())
  })

  test('is summed up for whoever signs it', () => {
    expect(summaryOf(list)).toEqual([
      `Chain 1, to the treasury ${TREASURY}`,
      `250.5 USDT of 1 addresses (${TOKEN})`,
      '0.1 ETH of 1 addresses',
      `Gas money for 1 addresses: 0.000091 from ${list.payer.address}`,
      'Fees of at most 0.000112 in all, at 1 gwei',
      'Made at 2026-11-23T01:02:13.854Z, 3 transactions',
    ])
  })
})

describe('nothing is signed', () => {
  test.each<[string, Partial<SweepList>, string]>([
    [
      'for an address that is not of its key',
      { transfers: [{ ...inTokens, index: 5 }, inCoins] },
      'is not the address 5 of these words',
    ],
    [
      'for an address of somebody else',
      { transfers: [inTokens, { ...inCoins, address: STRANGER }] },
      'is not the address 0 of these words',
    ],
    ['to another treasury', { treasury: STRANGER }, 'you named'],
    ['for another wallet', { key_fingerprint: '0123456789abcdef' }, 'The list is for the key'],
    [
      'with another payer',
      { payer: { ...list.payer, address: STRANGER } },
      'The payer of the list is',
    ],
    [
      'that sends gas elsewhere',
      { fundings: [{ ...funding, address: STRANGER }] },
      'from which nothing is swept',
    ],
    [
      'that sends more gas than is needed',
      { fundings: [{ ...funding, amount: '0.07' }] },
      'more gas money than its transfers may take',
    ],
    [
      'of which the totals are others',
      { totals: [{ ...usdt, amount: '1', count: 1 }, list.totals[1] as SweepList['totals'][0]] },
      'The totals of the list',
    ],
    ['at a price that nobody means', { gas_price: '500000000001' }, '500 is the most'],
    [
      'with a gap among the nonces',
      { transfers: [inTokens, { ...inTokens, nonce: 2 }, inCoins] },
      'are not one after the other',
    ],
  ])('%s', async (_, change, message) => {
    await expect(signSweep({ ...list, ...change }, WORDS, TREASURY)).rejects.toThrow(message)
  })

  test('where the treasury is typed with a wrong letter, or is one of the sale', async () => {
    const wrong = TREASURY.replace('C5', 'c5')
    await expect(signSweep(list, WORDS, wrong)).rejects.toThrow('capital letters')
    const own = { ...list, treasury: inCoins.address }
    await expect(signSweep(own, WORDS, inCoins.address)).rejects.toThrow('of this very sale')
  })

  test('at a gas price above the signer’s limit, or one that eats up the amount', async () => {
    await expect(signSweep(list, WORDS, TREASURY, '0.9')).rejects.toThrow('pays 1 gwei for gas')
    await expect(signSweep(list, WORDS, TREASURY, 'cheap')).rejects.toThrow('no price of gas')
    const dear = { ...list, gas_price: '9000000000000' }
    await expect(signSweep(dear, WORDS, TREASURY, '9000')).rejects.toThrow('less than its fee')
  })

  test('with the words of another wallet', async () => {
    const others = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    await expect(signSweep(list, others, TREASURY)).rejects.toThrow('The list is for the key')
  })
})

test('the command asks for treasury and words, writes a file, and never over another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presale-sweep-'))
  const file = join(folder, 'list.json')
  writeFileSync(file, JSON.stringify(list))
  const run = (input: string) =>
    spawnSync(process.execPath, ['tools/keys/main.ts', 'sweep', file, '--with-network'], {
      cwd: projectRoot,
      input,
      encoding: 'utf8',
    })
  const wrong = run(`${STRANGER}\n${WORDS}\n`)
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('you named') })
  const right = run(`${TREASURY}\n${WORDS}\n`)
  expect(right).toMatchObject({ status: 0, stdout: expect.stringMatching(/SHA-256 [0-9a-f]{64}/) })
  const written: unknown = JSON.parse(readFileSync(join(folder, 'signed.json'), 'utf8'))
  expect(written).toEqual(await signSweep(list, WORDS, TREASURY))
  const again = run(`${TREASURY}\n${WORDS}\n`)
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('signed.json already') })
  rmSync(folder, { recursive: true })
}, 60_000)
