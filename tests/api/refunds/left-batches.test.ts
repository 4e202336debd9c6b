import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { NamedSight, Payouts } from '#server/ports/payouts.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import {
  aBatch,
  anApprovedClaim,
  cancelBatch,
  fileOf,
  lookAtBatch,
  lookAtClaim,
  send,
  WALLET,
} from '#tests/kit/builders/a-claim.ts'
import { expectAllWell, quickSale } from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { anOwedPurchase } from '#tests/kit/builders/an-operator.ts'
import { nameHash } from '#tests/kit/payouts/a-chain-batch.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
beforeEach(async () => {
  app = await startApp({ changeSale: quickSale })
  buyer = await aUser(app)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await expectAllWell(app)
  await app.close()
})

const follow = () => followPayouts(app.services)

function payoutsOf({ services }: TestApp): Payouts {
  const { payouts } = services.rails.get('sandbox') ?? {}
  if (payouts === undefined) throw new Error('The sandbox has no payouts.')
  return payouts
}

const HASH = 'sandbox-sent'

/** From now on the chain shows this of what was named, and no payment. */
function show(state: NamedSight['state']) {
  const sight = { hash: HASH, spends: ['coin'], state, replacedBy: null }
  return vi
    .spyOn(payoutsOf(app), 'find')
    .mockImplementation(async (_chain, _payouts, { followed }) => ({
      found: [],
      others: [],
      sights: followed.includes(HASH) ? [sight] : [],
      isWhole: true,
      head: 99n,
    }))
}

describe('a transaction of a batch that was cancelled', () => {
  test('is warned of in the next file of its claims before a node has shown it, and after', async () => {
    await anOwedPurchase(app, buyer)
    await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await nameHash(app, sent, HASH)
    await cancelBatch(app, sent)
    const { id } = await aBatch(app)
    expect((await fileOf(app, id)).body.note).toContain(`${HASH} was named for an earlier batch`)
    show('waiting')
    await follow()
    expect((await fileOf(app, id)).body.note).toContain(`${HASH} of an earlier batch was seen to`)
    show('mined')
    await follow()
    expect((await fileOf(app, id)).body.note).not.toContain(HASH)
  })

  test('can be named once it is cancelled, and pays its claims', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const sent = await aBatch(app)
    await cancelBatch(app, sent)
    const { id } = await aBatch(app)
    expect((await fileOf(app, id)).body.note).not.toContain('earlier batch')
    await send(app, WALLET, claimed.pays)
    const { transaction_hash: hash } = await app.open.database
      .selectFrom('sandbox_transfers')
      .select('transaction_hash')
      .where('address', '=', WALLET)
      .executeTakeFirstOrThrow()
    const named = await nameHash(app, sent, hash)
    expect(named.body).toMatchObject({ state: 'cancelled', named_hash: hash })
    expect((await fileOf(app, id)).body.note).toContain(hash)
    await follow()
    expect(await lookAtClaim(app, claimed)).toMatchObject({ state: 'sent', transaction_hash: hash })
    expect((await fileOf(app, id)).refusal?.reason).toBe('BatchClosed')
  })
})
