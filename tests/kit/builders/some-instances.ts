import { afterAll, beforeAll } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '#tests/kit/servers/start-app.ts'

/** Starts so many instances on one database before the tests of a file, and stops them after. */
export function someInstances(count: number, options: Omit<TestAppOptions, 'open'> = {}) {
  const apps: TestApp[] = []
  beforeAll(async () => {
    const first = await startApp(options)
    const others = Array.from({ length: count - 1 }, () =>
      startApp({ ...options, open: first.open }),
    )
    apps.push(first, ...(await Promise.all(others)))
  })
  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close()
  })
  return {
    apps,
    /** Any number is one of them: tests take turns by counting. */
    oneOf(number: number): TestApp {
      const app = apps[number % apps.length]
      if (app === undefined) throw new Error('No instance was started.')
      return app
    },
  }
}
