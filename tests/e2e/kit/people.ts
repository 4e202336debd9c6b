import { randomBytes } from 'node:crypto'

import { authContract } from '#contract/auth.ts'
import type { User } from '#contract/shapes.ts'
import { callProduct } from './client.ts'

export type Person = {
  first_name: string
  last_name: string
  email: string
  nationality: string
  password: string
}

/** Somebody whom no other test knows. */
export function somebody(firstName: string): Person {
  return {
    first_name: firstName,
    last_name: 'Tester',
    email: `${firstName.toLowerCase()}-${randomBytes(4).toString('hex')}@example.com`,
    nationality: 'GB',
    password: 'correct horse 1 battery',
  }
}

export type LoggedIn = { user: User; accessToken: string }

let registered = 0

/**
 * Registers by HTTP, from one of many addresses of this machine's network: sixty an hour may come
 * from each.
 */
export async function registerPerson(address: string, person: Person): Promise<LoggedIn> {
  registered += 1
  const from = `127.0.0.${2 + (registered % 250)}`
  const { data } = await callProduct(
    address,
    authContract.register,
    { body: person },
    undefined,
    from,
  )
  return { user: data.user, accessToken: data.tokens.access.token }
}

/** Starts a second session by HTTP, to look at what the browser's session sees. */
export async function logInPerson(address: string, person: Person): Promise<LoggedIn> {
  const { email, password } = person
  const { data } = await callProduct(address, authContract.login, { body: { email, password } })
  return { user: data.user, accessToken: data.tokens.access.token }
}
