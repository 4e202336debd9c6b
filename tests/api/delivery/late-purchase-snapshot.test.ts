import { afterAll, beforeAll, expect, test } from 'vitest'

import { API_BASE } from '#contract/endpoint.ts'
import { releasesContract } from '#contract/delivery/releases.ts'
import { ownExportContract } from '#contract/export.ts'
import { distributionsContract } from '#contract/operator/distributions.ts'
import { formatDecimal, parseDecimal, percentage, usd } from '#domain/money.ts'
import { AT_ONCE } from '#domain/sale/release-schedule.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { sendMails } from '#server/use-cases/mailing/send-mails.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  buyAndPay,
  expectAllWell,
  lookAt,
  mine,
  pay,
  passExpiry,
} from '#tests/kit/builders/a-purchase.ts'
import { loggedIn } from '#tests/kit/builders/a-claim.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { named, operator } from '#tests/kit/builders/an-operator.ts'
import { NO_BONUSES, smallStages } from '#tests/kit/builders/small-stages.ts'
import { TOKEN_CONTRACT, walletOf } from '#tests/kit/delivery/a-snapshot.ts'
import { aDistribution, download } from '#tests/kit/delivery/distribution-calls.ts'
import {
  endingSale,
  freeze,
  giveWallet,
  passEnd,
  STAGE_MS,
} from '#tests/kit/delivery/frozen-sale.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const DOLLAR = 10n ** 6n
const ONE = 10n ** 18n
const text = (units: bigint) => formatDecimal(units, 18)

let app: TestApp
let ada: RegisteredUser
let bob: RegisteredUser

/** Stage 1 releases a tenth first and the rest after three months; stage 2 releases all at once. */
function twoStages(sale: Sale): Sale {
  const bonuses = { ...NO_BONUSES, referrals: { earn: usd(20n * DOLLAR), spend: usd(DOLLAR) } }
  const [first, second] = smallStages({ bonuses }, { bonuses })(sale).stages
  const [ending] = endingSale(sale).stages
  if (first === undefined || second === undefined || ending === undefined) {
    throw new Error('Two stages are needed.')
  }
  const change = ending.endsAt ?? new Date()
  const tranches = [
    { months: 0, percentage: percentage(100_000n) },
    { months: 3, percentage: percentage(900_000n) },
  ]
  return {
    ...smallStages()(endingSale(sale)),
    vesting: { startsAt: new Date('2030-01-01T00:00:00Z'), ...AT_ONCE },
    project: {
      ...sale.project,
      contract: { chain: 'ethereum', address: TOKEN_CONTRACT, explorerUrl: null },
    },
    stages: [
      {
        ...first,
        startsAt: ending.startsAt,
        endsAt: change,
        vesting: { shape: 'tranches', tranches },
      },
      { ...second, startsAt: change, endsAt: new Date(change.getTime() + STAGE_MS), vesting: null },
    ],
  }
}

const releasesOf = async ({ as }: RegisteredUser) =>
  (await app.client.call(releasesContract.getOwnReleases, {}, as)).body.releases.map(
    ({ month, tokens }) => [month, tokens],
  )

const totalOf = async ({ as }: RegisteredUser) =>
  parseDecimal((await app.client.call(releasesContract.getOwnReleases, {}, as)).body.total, 18)

const handedOut = async (through: number) => {
  const { id } = await aDistribution(app, { tool: 'plain', through })
  return (await download(app, id, `distribution-${id}.plain.csv`)).text
}

beforeAll(async () => {
  app = await startApp({ changeSale: twoStages })
  ada = await aUser(app)
  bob = await aUser(app, { referrals: { referred_by: ada.user.id } })
})
afterAll(() => app.close())

test('tokens of another stage that late money took are released as the purchase’s stage says', async () => {
  const late = await aPurchase(app, bob, { usd: 100, token: 'usdt' })
  await passExpiry(app)
  await app.passTime(STAGE_MS)
  await refreshPrices(app.services)
  await pay(app, late)
  await mine(app, 2)
  const paid = await lookAt(app, bob, late)
  expect(paid).toMatchObject({
    status: 'completed',
    status_reason: 'late',
    stage_id: 'stage-1',
  })
  const given = (await totalOf(bob)) ?? 0n
  // About 50 at the price of stage 2, which gave them: those of stage 1 would be twice as many.
  expect(given).toBeLessThan(52n * ONE)
  expect(await buyAndPay(app, bob, { usd: 200, token: 'usdt' })).toMatchObject({
    stage_id: 'stage-2',
  })
  await giveWallet(app, ada.user.id, walletOf(1))
  await giveWallet(app, bob.user.id, walletOf(2))

  // A tenth of them at the start; the 100 of stage 2 and the reward that was earned there at once.
  const [first, rest] = [given / 10n + 100n * ONE, given - given / 10n].map(text)
  const calendar = [
    [0, first],
    [3, rest],
  ]
  expect(await releasesOf(bob)).toEqual(calendar)
  expect(await releasesOf(ada)).toEqual([[0, '10']])
  await sendMails(app.services)
  const planned = app.mailbox.taken.filter(({ text: mail }) => mail.includes('1 April 2030'))
  expect(planned.map(({ to }) => to)).toEqual([bob.email])

  await passEnd(app)
  bob = { ...bob, ...(await loggedIn(app, bob)) }
  expect(await freeze(app)).toMatchObject({
    leaves: 3,
    owners: 2,
    tokens: text(given + 110n * ONE),
  })
  expect(await releasesOf(bob)).toEqual(calendar)
  const input = { params: { id: bob.user.id } }
  const { body } = await app.client.call(ownExportContract.exportUser, input, bob.as)
  expect(body.releases.map(({ month, tokens }) => [month, tokens])).toEqual(calendar)
  const exported = await app.app.inject({
    url: `${API_BASE}/operator/exports/releases?form=json`,
    headers: { authorization: `Bearer ${operator.accessToken}`, ...named },
  })
  const lines = exported.json<{ user_id: string; month: number; tokens: string }[]>()
  const own = lines.filter(({ user_id: id }) => id === bob.user.id)
  expect(own.map(({ month, tokens }) => [month, tokens])).toEqual(calendar)

  const outlook = distributionsContract.lookAheadAtDistributions
  const { releases } = (await app.client.call(outlook, {}, operator)).body
  expect(releases.map(({ months, released }) => [months, released])).toEqual([
    [0, text(given / 10n + 110n * ONE)],
    [3, text(given + 110n * ONE)],
  ])
  expect(await handedOut(0)).toBe(`address,amount\n${walletOf(1)},10\n${walletOf(2)},${first}\n`)
  expect(await handedOut(3)).toBe(`address,amount\n${walletOf(2)},${rest}\n`)
  await expectAllWell(app)
})
