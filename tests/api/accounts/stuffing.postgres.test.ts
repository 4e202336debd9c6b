import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { anAddress, aUser } from '#tests/kit/builders/a-user.ts'
import { type CountedLogins, countLogins } from '#tests/kit/builders/counted-logins.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

// Ten thousand logins take seconds on many connections, and longer where others test as well.
vi.setConfig({ testTimeout: 240_000 })

const GUESSES = 10_000
const AT_ONCE = 100

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

/** Makes the guesses, a hundred at a time, and ten times on the way what the owner does. */
async function guessAll(guess: (index: number) => Promise<number>, owner: () => Promise<number>) {
  logins.compared = 0
  const guesses: number[] = []
  const owners: number[] = []
  for (let done = 0; done < GUESSES; done += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, index) => guess(done + index))
    if (done % (GUESSES / 10) === 0) owners.push(await owner())
    guesses.push(...(await Promise.all(some)))
  }
  return { refused: guesses.filter((status) => status === 429).length, owners }
}

const ten = (status: number) => Array.from({ length: 10 }, () => status)

test('10,000 guesses from as many networks: 100 are compared, the owner logs in', async () => {
  const home = '198.51.100.10'
  const { email, password } = await aUser(kit)
  expect(await logins.login(email, password, home)).toBe(200)
  const outcome = await guessAll(
    (index) => logins.login(email, `guess-${index}`, anAddress()),
    () => logins.login(email, password, home),
  )
  expect(logins.compared).toBe(100)
  expect(outcome).toEqual({ refused: GUESSES - 100, owners: ten(200) })
  expect(await logins.login(email, password, anAddress())).toBe(429)
  expect(await logins.login(email, password, home)).toBe(200)
})

test('10,000 pairs of address and password from one place: 300 are compared', async () => {
  const thief = anAddress()
  const { email, password } = await aUser(kit)
  const outcome = await guessAll(
    (index) => logins.login(`leaked.${index}@example.com`, `guess-${index}`, thief),
    () => logins.login(email, password, '198.51.100.20'),
  )
  expect(logins.compared).toBe(300)
  expect(outcome).toEqual({ refused: GUESSES - 300, owners: ten(200) })
})
