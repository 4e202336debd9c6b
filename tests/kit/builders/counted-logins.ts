import { authContract } from '#contract/auth.ts'
import { buildApp } from '#server/app.ts'
import { allRoutes } from '#server/http/api/all-routes.ts'
import { createClient } from '#tests/kit/servers/client.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

export type CountedLogins = {
  /** How many guesses reached the hash. */
  compared: number
  /** The status of a login. */
  login(email: string, password: string, remoteAddress: string): Promise<number>
  close(): Promise<void>
}

/**
 * Logins to a server that counts passwords beginning with `guess` instead of hashing them: hashing
 * thousands would take minutes, and only the number that would be hashed matters.
 */
export async function countLogins({ services }: TestApp): Promise<CountedLogins> {
  const passwords: typeof services.passwords = {
    ...services.passwords,
    verify: async (hash, password, from) => {
      if (!password.startsWith('guess')) {
        return await services.passwords.verify(hash, password, from)
      }
      logins.compared += 1
      return false
    },
  }
  const app = await buildApp(
    { ...services, passwords },
    { routes: allRoutes(true), webFolder: null, trustedProxies: 0 },
  )
  const client = createClient(app)
  const logins: CountedLogins = {
    compared: 0,
    async login(email, password, remoteAddress) {
      const body = { email, password }
      return (await client.call(authContract.login, { body }, { remoteAddress })).status
    },
    close: async () => app.close(),
  }
  return logins
}
