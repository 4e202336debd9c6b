import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { afterEach, expect, test } from 'vitest'

import { operatorContract } from '#contract/operator/operations.ts'
import { usersContract } from '#contract/users.ts'
import { WALLET_COOL_OFF_MS } from '#domain/delivery/wallet.ts'
import { parseDecimal } from '#domain/money.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { buyAndPay, expectAllWell } from '#tests/kit/builders/a-purchase.ts'
import { loggedIn } from '#tests/kit/builders/a-claim.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { aUser } from '#tests/kit/builders/a-user.ts'
import {
  aSnapshot,
  deliveredSale,
  TOKEN_CONTRACT,
  walletOf,
} from '#tests/kit/delivery/a-snapshot.ts'
import {
  aDistribution,
  download,
  publish,
  tryToMake,
} from '#tests/kit/delivery/distribution-calls.ts'
import {
  endingSale,
  freeze,
  giveWallet,
  passEnd,
  tryToCorrect,
} from '#tests/kit/delivery/frozen-sale.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

/** Ten trillion tokens with 18 decimals. */
const MOST = 10n ** 13n * 10n ** 18n
/** More than are read at once. */
const TINY_COUNT = 3_000

const withToken = (sale: Sale): Sale => ({
  ...endingSale(sale),
  project: {
    ...sale.project,
    contract: { chain: 'ethereum', address: TOKEN_CONTRACT, explorerUrl: null },
  },
})

let app: TestApp
afterEach(() => app.close())

const fileOf = async (id: string, ending: string) =>
  (await download(app, id, `distribution-${id}.${ending}`)).text

test('two accounts with one wallet are two owners of a snapshot and one row of its list, erased or not', async () => {
  app = await startApp({ changeSale: withToken })
  const [ada, bob, eve] = [await aUser(app), await aUser(app), await aUser(app)]
  await buyAndPay(app, ada, { usd: 10 })
  await buyAndPay(app, bob, { usd: 20 })
  await buyAndPay(app, eve, { usd: 30 })
  await giveWallet(app, ada.user.id, walletOf(1))
  await giveWallet(app, bob.user.id, walletOf(1))
  await giveWallet(app, eve.user.id, walletOf(2))
  await app.passTime(WALLET_COOL_OFF_MS)
  for (const gone of [bob, eve]) {
    const { as } = await loggedIn(app, gone)
    const input = { params: { id: gone.user.id }, body: { password: gone.password } }
    expect((await app.client.call(usersContract.eraseUser, input, as)).status).toBe(204)
  }
  await passEnd(app)
  const snapshot = await freeze(app)
  expect(snapshot).toMatchObject({ leaves: 3, owners: 3 })
  const { id, amount, rows } = await aDistribution(app, { tool: 'plain' })
  expect([rows, amount]).toEqual([2, snapshot.tokens])
  const [header, ...lines] = (await fileOf(id, 'plain.csv')).trimEnd().split('\n')
  expect(header).toBe('address,amount')
  expect(lines.map((line) => line.split(',')[0])).toEqual([walletOf(1), walletOf(2)])
  const sum = lines.reduce((total, line) => {
    return total + (parseDecimal(line.split(',')[1] ?? '', 18) ?? 0n)
  }, 0n)
  expect(sum).toBe(parseDecimal(snapshot.tokens, 18))
  await expectAllWell(app)
})

test('nothing is handed out once every purchase of the snapshot has failed', async () => {
  app = await startApp({ changeSale: withToken })
  const buyer = await aUser(app)
  const purchases = [await buyAndPay(app, buyer), await buyAndPay(app, buyer)]
  await giveWallet(app, buyer.user.id, walletOf(1))
  await passEnd(app)
  await freeze(app)
  const made = await aDistribution(app, { tool: 'plain' })
  for (const purchase of purchases) {
    const reason = { reason: 'Its payment was stolen' }
    const input = { params: { id: purchase.id }, headers: named, body: reason }
    await app.client.call(operatorContract.failPurchase, input, operator)
  }
  expect((await tryToCorrect(app, 'All was stolen')).refusal.message).toContain('Nobody owns')
  const nobody = 'Since snapshot 1 everything was taken back: nobody owns any tokens any more'
  expect((await tryToMake(app, { tool: 'plain' })).refusal.message).toContain(nobody)
  const published = await publish(app, made.id, { contract: walletOf(9) })
  expect(published.refusal.message).toContain(nobody)
  await expectAllWell(app)
})

test('ten trillion tokens and thousands of one base unit are in files to the last digit', async () => {
  app = await startApp({ changeSale: deliveredSale() })
  await aSnapshot(app, [
    { tokens: MOST, wallet: walletOf(0) },
    ...Array.from({ length: TINY_COUNT }, (_, nth) => ({ tokens: 1n, wallet: walletOf(nth + 1) })),
  ])
  const plain = await aDistribution(app, { tool: 'plain', through: 0 })
  // A hundredth of one base unit is nothing yet.
  expect(plain).toMatchObject({ rows: 1, amount: '100000000000', left_out: { rows: 0 } })
  const { id, root, rows, amount_base_units } = await aDistribution(app, { tool: 'openzeppelin' })
  const rest = MOST - MOST / 100n
  expect([rows, amount_base_units]).toEqual([TINY_COUNT + 1, String(rest + BigInt(TINY_COUNT))])
  const values = [
    [walletOf(0), String(rest)],
    ...Array.from({ length: TINY_COUNT }, (_, nth) => [walletOf(nth + 1), '1']),
  ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
  const theirs = StandardMerkleTree.of(values, ['address', 'uint256'])
  expect(theirs.root).toBe(root)
  expect(await fileOf(id, 'tree.json')).toBe(JSON.stringify(theirs.dump()))
}, 120_000)
