import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { SESSION_TTL_MS } from '#server/use-cases/access/session-tokens.ts'
import { deleteExpiredRecords } from '#server/use-cases/operations/delete-expired-records.ts'
import { anAddress, aUser } from '#tests/kit/builders/a-user.ts'
import { type CountedLogins, countLogins } from '#tests/kit/builders/counted-logins.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

// Hundreds of calls, one after the other.
vi.setConfig({ testTimeout: 60_000 })

let kit: TestApp
let logins: CountedLogins
beforeAll(async () => {
  kit = await startApp()
  logins = await countLogins(kit)
})
afterAll(async () => {
  await logins.close()
  await kit.close()
})

const login: CountedLogins['login'] = (...given) => logins.login(...given)

/** Guesses from a new network each time, as a botnet does; how many of them were compared. */
async function guess(email: string, count: number): Promise<number> {
  logins.compared = 0
  const statuses: number[] = []
  for (let tries = 0; tries < count; tries += 1) {
    statuses.push(await login(email, `guess-${tries}`, anAddress()))
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(logins.compared)
  expect(statuses.filter((status) => status === 429)).toHaveLength(count - logins.compared)
  return logins.compared
}

describe('guessing one account’s password from everywhere', () => {
  test('reaches the hash 100 times a day, and not once more the owner logs in', async () => {
    const home = '198.51.100.20'
    const user = await aUser(kit)
    expect(await login(user.email, user.password, home)).toBe(200)
    expect(await guess(user.email, 180)).toBe(100)
    expect(await login(user.email, user.password, home)).toBe(200)
    expect(await guess(user.email, 20)).toBe(0)
    await kit.passTime(24 * 60 * 60_000 + 1_000)
    expect(await guess(user.email, 5)).toBe(5)
  })

  test('keeps the owner out of no network that they log in from', async () => {
    const user = await aUser(kit)
    const places = ['198.51.100.30', '2001:db8:30:1::5']
    for (const place of places) expect(await login(user.email, user.password, place)).toBe(200)
    await guess(user.email, 101)
    expect(await login(user.email, user.password, anAddress())).toBe(429)
    expect(await login(user.email, user.password, '198.51.100.77')).toBe(200)
    expect(await login(user.email, user.password, '2001:db8:30:2::9')).toBe(200)
  })

  test('of an account that does not exist is counted the same', async () => {
    expect(await guess('nobody.to.guess@example.com', 120)).toBe(100)
  })

  test('a network last used half a year ago counts as unknown again, later than a session ends', async () => {
    const user = await aUser(kit)
    const home = '198.51.100.40'
    expect(await login(user.email, user.password, home)).toBe(200)
    await kit.passTime(SESSION_TTL_MS + 24 * 60 * 60_000)
    await deleteExpiredRecords(kit.services)
    await guess(user.email, 101)
    expect(await login(user.email, user.password, home)).toBe(200)
    await kit.passTime(181 * 24 * 60 * 60_000)
    await guess(user.email, 101)
    expect(await login(user.email, user.password, home)).toBe(429)
  })

  test('in one of the owner’s own networks is bounded as well', async () => {
    const user = await aUser(kit)
    expect(await login(user.email, user.password, '198.51.100.50')).toBe(200)
    logins.compared = 0
    for (let tries = 0; tries < 130; tries += 1) {
      await login(user.email, `guess-${tries}`, `198.51.100.${(tries % 200) + 51}`)
    }
    expect(logins.compared).toBe(100)
  })
})

test('one place guesses at many accounts 300 times in ten minutes and no more', async () => {
  const remoteAddress = anAddress()
  logins.compared = 0
  const statuses: number[] = []
  for (let tries = 0; tries < 320; tries += 1) {
    statuses.push(await login(`spray.${tries}@example.com`, 'guess', remoteAddress))
  }
  expect(logins.compared).toBe(300)
  expect(statuses.slice(300).every((status) => status === 429)).toBe(true)
})

test('one connection with addresses without number is one place all the same', async () => {
  logins.compared = 0
  for (let tries = 0; tries < 320; tries += 1) {
    const remoteAddress = `2001:db8:77:1::${tries.toString(16)}`
    await login(`spray.v6.${tries}@example.com`, 'guess', remoteAddress)
  }
  expect(logins.compared).toBe(300)
})
