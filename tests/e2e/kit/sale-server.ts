import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

import { operatorContract } from '#contract/operator/operations.ts'
import { findFreePort } from '#tools/testing/free-port.ts'
import { projectRoot } from '#tools/project.ts'
import { callProduct } from './client.ts'
import { makeProductFolder, type Product } from './product.ts'
import { test as base } from './test.ts'
import {
  inheritedEnvironment,
  type ServerProcess,
  startServerProcess,
} from '#tests/kit/servers/server-process.ts'

/** A product that its operator pauses, resumes, stops and restarts in the middle of a test. */
export type OperatedProduct = Product & {
  pause: () => Promise<void>
  resume: () => Promise<void>
  /** Runs the operator's command with these words, such as `pause`; rejects if it fails. */
  operate: (...words: string[]) => Promise<void>
  /**
   * Shuts the server down properly; the address stays reserved for {@link OperatedProduct.start}.
   */
  shutDown: () => Promise<void>
  /** Starts it again at the same address, with the same data. */
  start: () => Promise<void>
}

async function startOperated(saleFile: string | null): Promise<OperatedProduct> {
  const database = saleFile === null ? 'embedded' : 'postgres'
  const { environment: own, remove } = await makeProductFolder(saleFile, { database })
  const port = await findFreePort()
  const address = `http://localhost:${port}`
  const operatorToken = randomBytes(32).toString('hex')
  const environment = {
    PORT: String(port),
    OPERATOR_TOKEN: operatorToken,
    ...own,
  }
  let server: ServerProcess
  const start = async () => {
    server = startServerProcess(environment)
    await server.opened
  }
  const shutDown = async () => {
    const code = await server.stop()
    if (code !== 0) throw new Error(`The product ended with ${code}. It said:\n${server.err()}`)
  }
  await start()
  return {
    address,
    operatorToken,
    pause: async () => {
      const body = { reason: 'A test' }
      await callProduct(address, operatorContract.pauseSale, { body }, operatorToken)
    },
    resume: async () => {
      await callProduct(address, operatorContract.resumeSale, { body: {} }, operatorToken)
    },
    operate: async (...words) => {
      await promisify(execFile)(
        process.execPath,
        ['server/operator/main.ts', '--as', 'A test', '--url', address, ...words],
        {
          cwd: projectRoot,
          env: { ...inheritedEnvironment(), OPERATOR_TOKEN: operatorToken },
          timeout: 30_000,
        },
      )
    },
    shutDown,
    start,
    stop: async () => {
      await shutDown()
      await remove()
    },
  }
}

/** As the other browser tests, with a product that the test itself operates. */
export const test = base.extend<object, { product: OperatedProduct }>({
  product: [
    async ({ saleFile }, provide) => {
      const product = await startOperated(saleFile)
      await provide(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})
