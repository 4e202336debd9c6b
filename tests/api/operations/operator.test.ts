import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { SERVER_TIME } from '#contract/endpoint.ts'
import { operatorContract } from '#contract/operator/operations.ts'
import { saleContract } from '#contract/sale.ts'
import { aPurchase, lookAt, mine, pay, tryToBuy } from '#tests/kit/builders/a-purchase.ts'
import { anAddress, aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { OPERATOR_TOKEN, startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const operator = { accessToken: OPERATOR_TOKEN }
const { getSaleState, listActions, pauseSale, resumeSale } = operatorContract

let app: TestApp
let buyer: RegisteredUser
beforeAll(async () => {
  app = await startApp()
  buyer = await aUser(app)
})
afterAll(() => app.close())

describe('an operator’s call', () => {
  test.each([
    ['no token', undefined],
    ['a wrong token', 'an-operator-token-for-tests-and-nothing-els'],
    ['a longer one', `${OPERATOR_TOKEN}x`],
  ])('with %s is refused', async (_, accessToken) => {
    const options = { remoteAddress: anAddress(), ...(accessToken && { accessToken }) }
    const reply = await app.client.call(getSaleState, {}, options)
    expect(reply.refusal).toMatchObject({
      code: 401,
      message: 'The operator’s token is missing or wrong',
    })
    const refused = await app.client.call(pauseSale, { body: { reason: 'x' } }, options)
    expect(refused.status).toBe(401)
  })

  test('with a buyer’s token is refused', async () => {
    const reply = await app.client.call(
      getSaleState,
      {},
      { ...buyer.as, remoteAddress: anAddress() },
    )
    expect(reply.status).toBe(401)
    expect((await app.client.call(saleContract.getActiveStage, {})).status).toBe(200)
  })

  test('is answered with the time of the server, by which the console counts', async () => {
    const { headers } = await app.client.call(getSaleState, {}, operator)
    const time = Date.parse(String(headers[SERVER_TIME]))
    expect(Math.abs(time - app.clock.now().getTime())).toBeLessThan(60_000)
  })

  test('is guessed ten times at most, which keeps no operator out', async () => {
    const remoteAddress = anAddress()
    const guess = () => app.client.call(getSaleState, {}, { accessToken: 'guess', remoteAddress })
    for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(401)
    expect((await guess()).refusal).toMatchObject({ code: 429, reason: 'TooManyRequests' })
    const right = await app.client.call(getSaleState, {}, { ...operator, remoteAddress })
    expect(right.status).toBe(200)
  })

  test('is guessed ten times at most from all addresses of one IPv6 connection', async () => {
    const guess = (remoteAddress: string) =>
      app.client.call(getSaleState, {}, { accessToken: 'guess', remoteAddress })
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await guess(`2001:db8:5:6::${tries}`)).status).toBe(401)
    }
    expect((await guess('2001:db8:5:6:ffff::1')).status).toBe(429)
    expect((await guess('2001:db8:5:7::1')).status).toBe(401)
  })

  test('is limited with the right token too, by the connection', async () => {
    const ask = (place: number) =>
      app.client.call(getSaleState, {}, { ...operator, remoteAddress: `2001:db8:5:8::${place}` })
    for (let calls = 0; calls < 300; calls += 1) expect((await ask(calls)).status).toBe(200)
    expect((await ask(300)).status).toBe(429)
  })

  test('is limited with the right token too', async () => {
    const remoteAddress = anAddress()
    const ask = () => app.client.call(getSaleState, {}, { ...operator, remoteAddress })
    for (let calls = 0; calls < 300; calls += 1) expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(429)
  })

  test.each([
    ['no reason', {}, 'reason', 'Say in a few words why the sale is paused'],
    ['blanks', { reason: '  ' }, 'reason', 'Say in a few words why the sale is paused'],
    ['a long reason', { reason: 'x'.repeat(501) }, 'reason', 'Must be at most 500 characters'],
    ['another field', { reason: 'x', who: 'me' }, 'who', 'This field is not known here'],
  ])('to pause with %s is refused with the reason', async (_, body, path, message) => {
    const reply = await app.client.callWith(pauseSale, { body }, operator)
    expect(reply.refusal.errors).toEqual([{ path, message }])
  })
})

describe('a pause', () => {
  test('stops selling, settles what was bought, takes further reasons, and ends by a call', async () => {
    const bought = await aPurchase(app, buyer)
    const paused = await app.client.call(pauseSale, { body: { reason: 'A look' } }, operator)
    expect(paused.body).toMatchObject({ status: 'PAUSED', stage: 'Stage 1' })
    expect(paused.body.pause?.reason).toBe('A look')
    expect((await tryToBuy(app, buyer)).refusal).toMatchObject({
      code: 503,
      message: 'The token sale is paused',
    })
    expect((await app.client.call(saleContract.getActiveStage, {})).status).toBe(503)
    await pay(app, bought)
    await mine(app, 2)
    expect(await lookAt(app, buyer, bought)).toMatchObject({ status: 'completed' })

    const again = await app.client.call(pauseSale, { body: { reason: 'Another look' } }, operator)
    expect(again.body.pause?.reason).toBe('A look; and: Another look')
    expect(again.body.pause?.since, 'as a pause of its own').not.toBe(paused.body.pause?.since)
    const { data } = (await app.client.call(listActions, { query: { limit: '2' } }, operator)).body
    expect(data).toMatchObject([
      { act: 'pauseSale', details: { reason: 'Another look' } },
      { act: 'pauseSale', details: { reason: 'A look' } },
    ])
    const repeated = await app.client.call(pauseSale, { body: { reason: 'A look' } }, operator)
    expect(repeated.body.pause).toEqual(again.body.pause)
    const resumed = await app.client.call(resumeSale, { body: {} }, operator)
    expect(resumed.body).toMatchObject({ status: 'ACTIVE', pause: null, check: { breaches: [] } })
    expect((await tryToBuy(app, buyer)).status).toBe(201)
    expect((await app.client.call(getSaleState, {}, operator)).body).toEqual(resumed.body)
  })

  test.each([false, true])('that nobody saw who resumes is not ended, force: %s', async (force) => {
    const stateOf = async () => (await app.client.call(getSaleState, {}, operator)).body
    const pause = async (reason: string) => {
      app.clock.pass(1)
      await app.client.call(pauseSale, { body: { reason } }, operator)
      return (await stateOf()).pause?.since
    }
    const resume = (seen?: string | null) =>
      app.client.call(resumeSale, { body: { force, paused_date: seen } }, operator)
    const seen = await pause('The node is being moved')
    const now = await pause('Police: stolen coins')
    for (const stale of [seen, null]) {
      expect((await resume(stale)).refusal).toMatchObject({
        code: 409,
        reason: 'ApprovalChanged',
        message: 'The sale was paused or resumed since you looked. Look at it again',
      })
    }
    expect((await stateOf()).pause?.reason).toMatch(/stolen coins$/)
    expect((await resume(now)).body).toMatchObject({ status: 'ACTIVE', pause: null })
    expect((await resume(now)).refusal.reason, 'resumed by now').toBe('ApprovalChanged')
    expect((await resume(null)).body.pause).toBeNull()
  })
})
