import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { consoleContract, type InboxItem } from '#contract/operator/console.ts'
import { foreignTransfersContract } from '#contract/operator/foreign-transfers.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import type { InboxKind } from '#domain/operators/inbox.ts'
import { cryptoAmount } from '#domain/money.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { recordUnmatched } from '#server/database/purchases/unmatched-transfers.ts'
import { saveReport } from '#server/database/sale/sale-pause.ts'
import { followPayouts } from '#server/use-cases/refunds/follow-payouts.ts'
import { refreshPrices } from '#server/use-cases/sale/refresh-prices.ts'
import {
  aPurchase,
  buyAndPay,
  mine,
  part,
  pay,
  quickSale,
  reorganise,
} from '#tests/kit/builders/a-purchase.ts'
import { aBatch, anApprovedClaim, send } from '#tests/kit/builders/a-claim.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { everythingStored } from '#tests/kit/builders/everything-stored.ts'
import { anOperatorPerson, type OperatorPerson } from '#tests/kit/builders/an-operator-person.ts'
import { anOwedPurchase, named, operator, payRefund } from '#tests/kit/builders/an-operator.ts'
import type { CallOptions } from '#tests/kit/servers/client.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
let buyer: RegisteredUser
let olga: OperatorPerson
let fred: OperatorPerson
beforeAll(async () => {
  app = await startApp({ changeSale: quickSale })
})
afterAll(() => app.close())
// Time passes in these tests, and ends sessions.
beforeEach(async () => {
  await refreshPrices(app.services)
  buyer = await aUser(app)
  olga = await anOperatorPerson(app, 'owner', 'Olga')
  fred = await anOperatorPerson(app, 'finance', 'Fred')
})

const DAY_MS = 86_400_000

type Asked = { order?: 'oldest' | 'money'; kind?: InboxKind; owner?: 'mine' | 'nobody' }

async function inbox(query: Asked = {}, as: CallOptions = operator) {
  return (await app.client.call(consoleContract.listInbox, { query }, as)).body
}

async function itemsOf(kind: InboxKind, query: Asked = {}): Promise<InboxItem[]> {
  return (await inbox({ ...query, kind })).data
}

const idsOf = (items: InboxItem[]) => items.map(({ id }) => id)

const bodyOf = ({ kind, id }: Pick<InboxItem, 'kind' | 'id'>) => ({ body: { kind, id } })

function close({ kind, id }: Pick<InboxItem, 'kind' | 'id'>, as: CallOptions = operator) {
  const body = { kind: kind as 'mail', id, reason: 'Looked into' }
  return app.client.call(consoleContract.closeInboxItem, { body }, as)
}

const addressOf = async () => `sandbox-eth-${randomUUID().replaceAll('-', '')}`

async function anUnmatched(
  amount = 2n * 10n ** 18n,
  coin: { chain: string; paymentTokenId: string | null; asset: string | null } = {
    chain: 'sandbox',
    paymentTokenId: 'eth',
    asset: null,
  },
): Promise<string> {
  const transactionHash = `sandbox-${randomUUID()}`
  const transfer = {
    ...coin,
    transactionHash,
    index: 0,
    address: await addressOf(),
    amount: cryptoAmount(amount),
    blockHeight: null,
    isGone: false,
    seenAt: app.clock.now(),
  }
  await app.open.database.transaction().execute((each) => recordUnmatched(each, [transfer]))
  return `${coin.chain}:${transactionHash}:0`
}

type LostMail = { kind?: string; user_id?: string | null; recipient?: string | null }

async function aLostMail(changes: LostMail = {}): Promise<string> {
  const { id } = await app.open.database
    .insertInto('outbox_mails')
    .values({
      user_id: buyer.user.id,
      kind: 'new_login',
      params: '{}',
      created_at: app.clock.now(),
      attempts: 30,
      dropped_at: app.clock.now(),
      is_given_up: true,
      last_fault: 'No answer',
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

/** How many lost mails the health of the system counts. */
const givenUp = async () =>
  (await app.client.call(consoleContract.getOverview, {}, operator)).body.mails.given_up

describe('each kind comes and goes', () => {
  test('a refund that is owed, with its worth, until it is paid', async () => {
    const { purchase, receiptId } = await anOwedPurchase(app, buyer)
    const [item] = await itemsOf('refund')
    expect(item).toMatchObject({
      kind: 'refund',
      purchase_id: purchase.id,
      permission: 'refunds.pay',
      role: 'finance',
      owner: null,
    })
    expect(item?.title).toMatch(/^0\.\d+ ETH is owed back$/)
    expect(Number(item?.amount_fiat)).toBeCloseTo(5, 0)
    await payRefund(app, item?.id ?? receiptId, `sandbox-${randomUUID()}`)
    expect(await itemsOf('refund')).toEqual([])
  })

  test('a purchase that was paid and is held, until it is released', async () => {
    const { id } = await buyAndPay(app, buyer)
    const input = (reason: string) => ({ params: { id }, headers: named, body: { reason } })
    await app.client.call(operatorContract.holdPurchase, input('A look at it'), operator)
    expect(await itemsOf('held')).toMatchObject([
      { id, purchase_id: id, detail: 'A look at it', amount_fiat: '100', role: 'finance' },
    ])
    await app.client.call(operatorContract.releasePurchase, input('Seen'), operator)
    expect(await itemsOf('held')).toEqual([])
  })

  test('a purchase whose payment is not confirmed for a day, until it is', async () => {
    const purchase = await aPurchase(app, buyer)
    await pay(app, purchase)
    await app.passTime(DAY_MS - 60_000)
    expect(await itemsOf('unconfirmed')).toEqual([])
    await app.passTime(120_000)
    expect(await itemsOf('unconfirmed')).toMatchObject([
      { id: purchase.id, amount_fiat: '100', permission: 'purchases.fail' },
    ])
    await mine(app, 2)
    expect(await itemsOf('unconfirmed')).toEqual([])
  })

  test('a completed purchase for which more came that is not confirmed for a day', async () => {
    const purchase = await aPurchase(app, buyer)
    const { id } = purchase
    await pay(app, purchase)
    await mine(app, 2)
    await pay(app, purchase, part(purchase, 0.5))
    await app.passTime(DAY_MS - 60_000)
    expect(await itemsOf('unconfirmed')).toEqual([])
    await app.passTime(120_000)
    expect(await itemsOf('unconfirmed')).toMatchObject([{ id, purchase_id: id }])
    await mine(app, 2)
    expect(await itemsOf('unconfirmed')).toEqual([])
  })

  test('a batch that is sent and waits for a block, until it is in one', async () => {
    await anOwedPurchase(app, buyer)
    const claimed = await anApprovedClaim(app, buyer)
    const { id } = await aBatch(app, [claimed.id])
    await send(app, claimed.address, claimed.pays)
    await followPayouts(app.services)
    await app.passTime(DAY_MS - 60_000)
    expect(await itemsOf('batch')).toEqual([])
    await app.passTime(120_000)
    expect(await itemsOf('batch')).toMatchObject([
      {
        id,
        title: expect.stringContaining('waits for a block'),
        permission: 'refunds.pay',
        amount_fiat: expect.stringMatching(/^[1-9]/),
      },
    ])
    await mine(app)
    await followPayouts(app.services)
    expect(await itemsOf('batch')).toEqual([])
  })

  test('money at an address of no purchase, until somebody has found whose it is', async () => {
    const id = await anUnmatched()
    const [item] = await itemsOf('unmatched')
    expect(item).toMatchObject({ id, title: '2 ETH arrived at an address without a purchase' })
    expect(Number(item?.amount_fiat)).toBeGreaterThan(1_000)
    expect((await close({ kind: 'unmatched', id })).status).toBe(204)
    expect(await itemsOf('unmatched')).toEqual([])
  })

  test('money that a gateway took and the sale does not, in whole units of it', async () => {
    const coin = { chain: 'nowpayments', paymentTokenId: null, asset: 'xmr' }
    const id = await anUnmatched(15n * 10n ** 17n, coin)
    const title = '1.5 XMR arrived at an address without a purchase'
    expect(await itemsOf('unmatched')).toMatchObject([{ id, title }])
    await close({ kind: 'unmatched', id })
  })

  test('tokens that the sale does not take, by token, until somebody has decided', async () => {
    const purchase = await aPurchase(app, buyer)
    const asset = `0x${'fa'.repeat(20)}`
    const came = (isHeld: boolean) =>
      sendSandboxTransfer(app.open.database, {
        transactionHash: `sandbox-${randomUUID()}`,
        address: purchase.payment_address ?? '',
        paymentTokenId: null,
        foreign: {
          name: isHeld ? asset : `0x${'fb'.repeat(20)}`,
          token: { symbol: 'EURC', isHeld },
        },
        amount: cryptoAmount(100n),
        sentAt: app.clock.now(),
      })
    await came(true)
    await came(true)
    await came(false)
    await mine(app, 1)
    const id = `sandbox:${asset}`
    expect(await itemsOf('foreign')).toMatchObject([
      { id, role: 'finance', detail: expect.stringContaining(`2 of EURC, ${asset}`) },
    ])
    const body = { chain: 'sandbox', asset, reason: 'Worth nothing' }
    const dismiss = foreignTransfersContract.dismissForeignToken
    await app.client.call(dismiss, { headers: named, body }, operator)
    expect(await itemsOf('foreign')).toEqual([])
  })

  test('failed transactions of a sweep, until they are put away, and again when more fail', async () => {
    const sweepId = randomUUID()
    const at = app.clock.now()
    const { database } = app.open
    await database
      .insertInto('sweeps')
      .values({
        id: sweepId,
        chain: 'eip155:1',
        treasury: '0xt',
        payer: '0xp',
        file_hash: 'ab'.repeat(32),
        state: 'closed',
        kept_at: at,
        opened_at: at,
        closed_at: at,
      })
      .execute()
    const fail = (place: number) =>
      database
        .insertInto('sweep_transactions')
        .values({
          sweep_id: sweepId,
          place,
          kind: 'tokens',
          transaction_hash: `0x${place}`,
          raw: '0x',
          sender: '0xs',
          nonce: BigInt(place),
          address: '0xs',
          payment_token_id: null,
          amount: cryptoAmount(1n),
          fee: cryptoAmount(1n),
          state: 'failed',
          fault: 'It was reverted',
        })
        .execute()
    await fail(0)
    const [item] = await itemsOf('sweep')
    expect(item).toMatchObject({ id: `${sweepId}:1`, detail: expect.stringContaining('eip155:1') })
    expect((await close({ kind: 'sweep', id: item?.id ?? '' })).status).toBe(204)
    expect(await itemsOf('sweep')).toEqual([])
    await fail(1)
    expect(idsOf(await itemsOf('sweep'))).toEqual([`${sweepId}:2`])
    await close({ kind: 'sweep', id: `${sweepId}:2` })
  })

  test('a payment that a gateway did not answer, until it is known', async () => {
    const purchaseId = randomUUID()
    const row = {
      gateway: 'btcpay',
      purchase_id: purchaseId,
      payment_token_id: 'btc',
      is_own: true,
      created_at: app.clock.now(),
      ask_next_at: app.clock.now(),
    }
    await app.open.database.insertInto('gateway_payments').values(row).execute()
    expect(await itemsOf('lost_payment')).toEqual([])
    await app.passTime(61_000)
    expect(await itemsOf('lost_payment')).toMatchObject([
      { purchase_id: null, detail: expect.stringContaining(`btcpay, order ${purchaseId}`) },
    ])
    await app.open.database.updateTable('gateway_payments').set({ ask_next_at: null }).execute()
    expect(await itemsOf('lost_payment')).toEqual([])
    await refreshPrices(app.services)
  })

  test('a mail that was given up, with whom it was for, until it is put away', async () => {
    const id = await aLostMail()
    expect(await itemsOf('mail')).toMatchObject([
      { id, title: 'A mail could not be sent: new login', user_id: buyer.user.id },
    ])
    expect(await givenUp()).toBe(1)
    await close({ kind: 'mail', id })
    expect(await itemsOf('mail')).toEqual([])
    expect(await givenUp()).toBe(0)
    const own = await aLostMail({ kind: 'audit_head', user_id: null, recipient: olga.email })
    expect(await itemsOf('mail')).toMatchObject([
      { id: own, user_id: null, detail: expect.stringContaining(`an operator, at ${olga.email}.`) },
    ])
    await close({ kind: 'mail', id: own })
    const last = await aLostMail({ kind: 'purchase_withdrawn', recipient: 'gone@example.com' })
    expect(await itemsOf('mail')).toMatchObject([
      { id: last, detail: expect.stringContaining('is erased, at gone@example.com.') },
    ])
    const { as } = await anOperatorPerson(app, 'viewer')
    const seen = await app.client.call(consoleContract.listInbox, { query: { kind: 'mail' } }, as)
    expect(JSON.stringify(seen.body)).not.toContain('gone@example.com')
    await close({ kind: 'mail', id: last })
    expect(await everythingStored(app.open.database)).not.toContain('gone@example.com')
  })

  test('a refund that lost its cover, until it is put away', async () => {
    const { receiptId } = await anOwedPurchase(app, buyer)
    await payRefund(app, receiptId, `sandbox-${randomUUID()}`).catch(() => null)
    await reorganise(app, 2)
    const [item] = await itemsOf('uncovered')
    expect(item?.detail).toContain('its gateway has sent it back')
    expect(item?.title).toMatch(/was paid back for money that has gone$/)
    await close({ kind: 'uncovered', id: item?.id ?? '' })
    expect(await itemsOf('uncovered')).toEqual([])
    await mine(app, 3)
  })

  test('prices that are too old, until they are known again', async () => {
    await app.passTime(10 * 60_000)
    const items = await itemsOf('feed')
    expect(idsOf(items)).toContain('ETH')
    expect(items[0]).toMatchObject({ role: 'owner', amount_fiat: null })
    await refreshPrices(app.services)
    expect(await itemsOf('feed')).toEqual([])
  })

  test('a chain that cannot be read, until it is read', async () => {
    const rail = [...app.services.rails.values()].find(({ chains }) => chains.includes('sandbox'))
    if (rail === undefined) throw new Error('There is no sandbox.')
    const { health } = rail
    rail.health = () => ({ readAgoMs: 1_000, fault: 'No node answers' })
    const items = await itemsOf('chain')
    if (health === undefined) delete rail.health
    else rail.health = health
    expect(items).toMatchObject([{ id: 'sandbox', detail: 'No node answers', role: 'owner' }])
    expect(await itemsOf('chain')).toEqual([])
  })

  test('a sale that is paused and books that disagree, until it is resumed by force', async () => {
    const found = { check: 'balance_is_given', subject: 'x', fault: 'User x has too much' }
    const report = { breaches: [found], notRun: [], checkedAt: app.clock.now(), durationMs: 1 }
    await saveReport(app.open.database, report)
    const body = { reason: 'Books' }
    await app.client.call(operatorContract.pauseSale, { body }, operator)
    expect(await itemsOf('breach')).toMatchObject([{ detail: 'User x has too much' }])
    expect(await itemsOf('pause')).toMatchObject([{ id: 'sale', detail: 'Books', role: 'owner' }])
    await saveReport(app.open.database, { ...report, breaches: [] })
    await app.client.call(operatorContract.resumeSale, { body: { force: true } }, operator)
    expect(await itemsOf('breach')).toEqual([])
    expect(await itemsOf('pause')).toEqual([])
  })

  test('a guard that is silent, or could not run a check', async () => {
    const report = { breaches: [], notRun: [], checkedAt: app.clock.now(), durationMs: 1 }
    await saveReport(app.open.database, report)
    expect(await itemsOf('guard')).toEqual([])
    await app.passTime(31 * 60_000)
    expect(await itemsOf('guard')).toMatchObject([{ id: 'guard', role: 'owner' }])
    const notRun = [{ check: 'totals', fault: 'It took too long' }]
    await saveReport(app.open.database, { ...report, notRun, checkedAt: app.clock.now() })
    expect(await itemsOf('guard')).toMatchObject([{ detail: 'totals: It took too long' }])
    await saveReport(app.open.database, { ...report, checkedAt: app.clock.now() })
  })
})

describe('the whole list', () => {
  test('has the longest waiting or the most money first, with the oldest and the counts', async () => {
    const dear = await anUnmatched(50n * 10n ** 18n)
    app.clock.pass(1_000)
    const cheap = await anUnmatched(1n)
    const all = await inbox()
    expect(idsOf(all.data).filter((id) => [dear, cheap].includes(id))).toEqual([dear, cheap])
    expect(all.oldest).toEqual(all.data[0])
    expect(all.counts).toContainEqual({ kind: 'unmatched', count: 2 })
    const byMoney = await inbox({ order: 'money' })
    expect(byMoney.data[0]?.id).toBe(dear)
    await close({ kind: 'unmatched', id: dear })
    await close({ kind: 'unmatched', id: cheap })
  })

  test('shows nobody what they may not see', async () => {
    await aLostMail()
    const key = await anOperatorPerson(app, 'viewer')
    expect((await inbox({ kind: 'mail' }, key.as)).data).toHaveLength(1)
    const { counts } = await inbox({}, key.as)
    expect(counts.map(({ kind }) => kind)).toContain('refund')
  })
})

describe('an owner', () => {
  test('is whoever has taken an item, until they leave it to its role again', async () => {
    const id = await anUnmatched()
    const input = bodyOf({ kind: 'unmatched', id })
    const taken = await app.client.call(consoleContract.takeInboxItem, input, fred.as)
    expect(taken.body.owner).toMatchObject({ id: fred.id, name: 'Fred' })
    expect(idsOf((await inbox({ owner: 'mine' }, fred.as)).data)).toEqual([id])
    expect((await inbox({ owner: 'mine' }, olga.as)).data).toEqual([])
    expect(idsOf((await inbox({ owner: 'nobody' })).data)).not.toContain(id)
    const left = await app.client.call(consoleContract.leaveInboxItem, input, olga.as)
    expect(left.body).toMatchObject({ owner: null, role: 'finance' })
    const acts = await app.open.database
      .selectFrom('operator_actions')
      .select(['act', 'operator', 'details'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    const details = { kind: 'unmatched', item: id }
    expect(acts).toEqual([
      { act: 'leaveInboxItem', operator: 'Olga', details },
      { act: 'takeInboxItem', operator: 'Fred', details },
    ])
    await close({ kind: 'unmatched', id })
  })

  test('is not replaced by somebody who saw it as another’s or nobody’s', async () => {
    const id = await anUnmatched()
    const take = async (ownerId: string | null, who: typeof fred) => {
      const body = { kind: 'unmatched', id, owner_id: ownerId } as const
      return await app.client.call(consoleContract.takeInboxItem, { body }, who.as)
    }
    expect((await take(null, fred)).body.owner).toMatchObject({ name: 'Fred' })
    const before = await countActions()
    const late = await take(null, olga)
    expect(late.refusal).toMatchObject({ code: 409, reason: 'InboxItemTaken' })
    expect(await countActions()).toBe(before)
    expect(await itemsOf('unmatched')).toMatchObject([{ id, owner: { name: 'Fred' } }])
    expect((await take(fred.id, olga)).body.owner).toMatchObject({ name: 'Olga' })
    expect((await take(fred.id, olga)).body.owner, 'once more').toMatchObject({ name: 'Olga' })
    const body = { kind: 'unmatched', id, owner_id: fred.id } as const
    const left = await app.client.call(consoleContract.leaveInboxItem, { body }, fred.as)
    expect(left.refusal, 'who had it leaves it').toMatchObject({ reason: 'InboxItemTaken' })
    expect(await itemsOf('unmatched')).toMatchObject([{ id, owner: { name: 'Olga' } }])
    await close({ kind: 'unmatched', id })
  })

  test('is the first of several who take it at the same moment', async () => {
    const others = [olga, fred, await anOperatorPerson(app, 'finance', 'Fay')]
    for (let round = 0; round < 10; round += 1) {
      const id = await anUnmatched()
      const body = { kind: 'unmatched', id, owner_id: null } as const
      const taken = await Promise.all(
        others.map(async ({ as }, index) => {
          await setTimeout(index * round)
          return await app.client.call(consoleContract.takeInboxItem, { body }, as)
        }),
      )
      const winners = taken.filter(({ status }) => status === 200)
      expect(winners).toHaveLength(1)
      expect(await itemsOf('unmatched')).toMatchObject([{ id, owner: winners[0]?.body.owner }])
      await close({ kind: 'unmatched', id })
    }
  })

  test('of a chain or the sale too', async () => {
    await app.client.call(operatorContract.pauseSale, { body: { reason: 'A look' } }, operator)
    const input = bodyOf({ kind: 'pause', id: 'sale' })
    await app.client.call(consoleContract.takeInboxItem, input, olga.as)
    expect(await itemsOf('pause')).toMatchObject([{ owner: { name: 'Olga' } }])
    await app.client.call(operatorContract.resumeSale, { body: {} }, operator)
  })

  test('of what has ended does not own the next with the same id', async () => {
    const pause = { body: { reason: 'A look' } }
    const held = { params: { id: (await buyAndPay(app, buyer)).id }, headers: named, ...pause }
    const begin = async () => {
      await app.client.call(operatorContract.pauseSale, pause, operator)
      await app.client.call(operatorContract.holdPurchase, held, operator)
    }
    const end = async () => {
      await app.client.call(operatorContract.resumeSale, { body: {} }, operator)
      await app.client.call(operatorContract.releasePurchase, held, operator)
    }
    const take = async (item: Pick<InboxItem, 'kind' | 'id'>) =>
      (await app.client.call(consoleContract.takeInboxItem, bodyOf(item), olga.as)).body
    await begin()
    for (const item of [
      { kind: 'pause', id: 'sale' },
      { kind: 'held', id: held.params.id },
    ] as const) {
      expect(await take(item)).toMatchObject({ owner: { name: 'Olga' } })
    }
    await end()
    app.clock.pass(1_000)
    await begin()
    for (const kind of ['pause', 'held'] as const) {
      expect(await itemsOf(kind, { owner: 'nobody' })).toMatchObject([{ owner: null }])
    }
    expect((await inbox({ owner: 'mine' }, olga.as)).data).toEqual([])
    expect(await take({ kind: 'pause', id: 'sale' })).toMatchObject({ owner: { name: 'Olga' } })
    await end()
  })

  test('of a chain that fails keeps it until the chain was read again', async () => {
    const rail = [...app.services.rails.values()].find(({ chains }) => chains.includes('sandbox'))
    if (rail === undefined) throw new Error('There is no sandbox.')
    const { health } = rail
    const failFor = (readAgoMs: number) => {
      rail.health = () => ({ readAgoMs, fault: 'No node answers' })
    }
    failFor(60_000)
    const input = bodyOf({ kind: 'chain', id: 'sandbox' })
    await app.client.call(consoleContract.takeInboxItem, input, olga.as)
    app.clock.pass(10_000)
    failFor(70_000)
    const [kept] = await itemsOf('chain')
    failFor(5_000)
    const [anew] = await itemsOf('chain', { owner: 'nobody' })
    if (health === undefined) delete rail.health
    else rail.health = health
    expect(kept).toMatchObject({ owner: { name: 'Olga' } })
    expect(anew).toMatchObject({ owner: null })
  })

  test('who was removed owns nothing any more: it is its role’s again', async () => {
    const gone = await anOperatorPerson(app, 'finance', 'Gone')
    const id = await anUnmatched()
    await app.client.call(consoleContract.takeInboxItem, bodyOf({ kind: 'unmatched', id }), gone.as)
    await app.open.database
      .updateTable('operators')
      .set({ removed_at: app.clock.now() })
      .where('id', '=', gone.id)
      .execute()
    expect(await itemsOf('unmatched', { owner: 'nobody' })).toMatchObject([
      { id, owner: null, role: 'finance' },
    ])
    await close({ kind: 'unmatched', id })
  })

  test('is a person: the token and keys take nothing, and take nothing from anybody', async () => {
    const id = await anUnmatched()
    const input = bodyOf({ kind: 'unmatched', id })
    const { takeInboxItem, leaveInboxItem } = consoleContract
    for (const endpoint of [takeInboxItem, leaveInboxItem]) {
      const reply = await app.client.call(endpoint, input, operator)
      expect(reply.refusal).toMatchObject({ code: 403, reason: 'PersonNeeded' })
    }
    expect((await inbox({ owner: 'mine' })).data).toEqual([])
    await close({ kind: 'unmatched', id })
  })

  test('may do the next step: others take nothing, and leave only what they have', async () => {
    const id = await anUnmatched()
    const input = bodyOf({ kind: 'unmatched', id })
    const { takeInboxItem, leaveInboxItem } = consoleContract
    const vera = await anOperatorPerson(app, 'viewer', 'Vera')
    await app.client.call(takeInboxItem, input, fred.as)
    for (const endpoint of [takeInboxItem, leaveInboxItem]) {
      const reply = await app.client.call(endpoint, input, vera.as)
      expect(reply.refusal).toMatchObject({ code: 403, reason: 'PermissionMissing' })
    }
    expect(await itemsOf('unmatched')).toMatchObject([{ id, owner: { name: 'Fred' } }])
    const { database } = app.open
    await database
      .updateTable('operators')
      .set({ role: 'viewer' })
      .where('id', '=', fred.id)
      .execute()
    const left = await app.client.call(leaveInboxItem, input, fred.as)
    expect(left.body.owner).toBeNull()
    await close({ kind: 'unmatched', id })
  })
})

describe('bad input', () => {
  test('what waits no more is neither taken nor put away, and nothing is recorded', async () => {
    const before = await countActions()
    const input = bodyOf({ kind: 'refund', id: randomUUID() })
    const taken = await app.client.call(consoleContract.takeInboxItem, input, olga.as)
    expect(taken.refusal).toMatchObject({ code: 409, reason: 'InboxItemGone' })
    const closed = await close({ kind: 'mail', id: "' or 1=1 --" })
    expect(closed.refusal.reason).toBe('InboxItemGone')
    expect(await countActions()).toBe(before)
  })

  test('who may not do the next step does not put it away', async () => {
    const id = await anUnmatched()
    const viewer = await anOperatorPerson(app, 'viewer')
    const reply = await close({ kind: 'unmatched', id }, viewer.as)
    expect(reply.refusal).toMatchObject({ code: 403, reason: 'PermissionMissing' })
    expect(reply.refusal.message).toContain('mark refunds as paid')
    expect(idsOf(await itemsOf('unmatched'))).toEqual([id])
  })

  test('of two who put one item away, one has done it', async () => {
    const id = await aLostMail()
    const replies = await Promise.all([close({ kind: 'mail', id }), close({ kind: 'mail', id })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
  })

  test('a refund is not put away: it is paid', async () => {
    await anOwedPurchase(app, await aUser(app))
    const [item] = await itemsOf('refund')
    const reply = await close({ kind: 'refund', id: item?.id ?? '' })
    expect(reply.refusal.reason).toBe('InvalidInput')
    expect(await itemsOf('refund')).toHaveLength(1)
  })
})

async function countActions(): Promise<number> {
  const rows = await app.open.database.selectFrom('operator_actions').select('id').execute()
  return rows.length
}

test('money that reaches a purchase is never among that of nobody', async () => {
  const before = await itemsOf('unmatched')
  await buyAndPay(app, buyer)
  const purchase = await aPurchase(app, buyer)
  await pay(app, purchase)
  expect(await itemsOf('unmatched')).toEqual(before)
})

test('an act that waits for a second person, with what approving it takes', async () => {
  const { database } = app.open
  const id = randomUUID()
  const asked = {
    asked_kind: 'person',
    asked_by: fred.id,
    asked_name: 'Fred',
    asked_address: '::1',
  }
  await database
    .insertInto('approvals')
    .values({
      id,
      act: 'payRefund',
      input: '{}',
      hash: new Uint8Array(32).fill(7),
      summary: 'Mark a refund of 1 ETH as paid',
      usd: 2_500_000_000n,
      permission: 'refunds.pay',
      ...asked,
      asked_person: fred.id,
      asked_at: app.clock.now(),
      expires_at: new Date(app.clock.now().getTime() + 3_600_000),
    } as never)
    .execute()
  expect(await itemsOf('approval')).toMatchObject([
    {
      id,
      title: 'Mark a refund of 1 ETH as paid',
      amount_fiat: '2500',
      permission: 'refunds.pay',
      role: 'finance',
    },
  ])
  await database.updateTable('approvals').set({ state: 'withdrawn' }).where('id', '=', id).execute()
  expect(await itemsOf('approval')).toEqual([])
})
