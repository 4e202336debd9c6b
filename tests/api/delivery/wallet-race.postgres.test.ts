import { afterEach, beforeEach, expect, test } from 'vitest'

import { aVerifiedUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import {
  aKey,
  deliveringSale,
  freeze,
  setBySignature,
  signed,
  tryToCancel,
  tryToPaste,
  tryToSet,
  walletOf,
} from '#tests/kit/delivery/a-wallet.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let ada: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: deliveringSale })
  ada = await aVerifiedUser(app)
})
afterEach(async () => await app.close())

const rowsOf = ({ user }: RegisteredUser) =>
  app.open.database
    .selectFrom('receiving_wallets')
    .selectAll()
    .where('user_id', '=', user.id)
    .execute()

test('of wallets that are set at once, one is set', async () => {
  const keys = [aKey(), aKey(), aKey()]
  const replies = await Promise.all(
    keys.map(({ address }) => tryToPaste(app, ada, address, { former: null })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await rowsOf(ada)).toHaveLength(1)
})

test('of changes that are asked for at once, one waits', async () => {
  await setBySignature(app, ada)
  const keys = [aKey(), aKey(), aKey()]
  const replies = await Promise.all(keys.map(({ address }) => tryToPaste(app, ada, address)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await rowsOf(ada)).toHaveLength(2)
})

test('a nonce that is used twice at once sets one wallet', async () => {
  const key = aKey()
  const proof = await signed(app, ada, key)
  const set = () => tryToSet(app, ada, { address: key.address, former: null, proof })
  const replies = await Promise.all([set(), set(), set()])
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await rowsOf(ada)).toHaveLength(1)
})

test('a change at the moment of a freeze is in effect before it, or not at all', async () => {
  for (let round = 0; round < 4; round += 1) {
    const user = await aVerifiedUser(app)
    const first = aKey()
    await setBySignature(app, user, first)
    const other = aKey()
    const consent = await signed(app, user, first, other.address)
    const [reply] = await Promise.all([
      tryToPaste(app, user, other.address, { consent }),
      freeze(app, [{ id: user.user.id, address: first.address }]),
    ])
    const { wallet, next_step: step } = await walletOf(app, user)
    expect(step).toBe('frozen')
    expect(wallet?.address).toBe(reply.status === 200 ? other.address : first.address)
  }
})

test('cancelling twice at once tells of it once', async () => {
  await setBySignature(app, ada)
  await setBySignature(app, ada)
  await Promise.all([tryToCancel(app, ada), tryToCancel(app, ada)])
  const mails = await app.open.database
    .selectFrom('outbox_mails')
    .select('id')
    .where('kind', '=', 'wallet_change_cancelled')
    .execute()
  expect(mails).toHaveLength(1)
})
