import { test as base, type BrowserContext, expect, type TestInfo } from '@playwright/test'

import { type Faults, watchFaults } from './faults.ts'
import { type Product, type ProductInTime, startProduct } from './product.ts'

type TestFixtures = {
  /** What has gone wrong in the pages so far; a test that leaves any of it has failed. */
  faults: Faults
}
type WorkerFixtures = {
  /** The text of the sale file to run; null for the shipped one. */
  saleFile: string | null
  /** Whether a test file needs its own product, started on an empty folder. */
  untouched: boolean
  /** One running product for all tests of a worker. */
  product: Product
}

/** A test in a real browser against the real product, which fails on any error of a page. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  saleFile: [null, { option: true, scope: 'worker' }],
  untouched: [false, { option: true, scope: 'worker' }],
  product: [
    async ({ saleFile, untouched }, provide) => {
      const database = saleFile === null ? 'embedded' : 'postgres'
      const product = await startProduct(saleFile, { database, fromNothing: untouched })
      await provide(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ product }, provide) => {
    await provide(product.address)
  },
  faults: [
    async ({ context, product }, provide, testInfo) => {
      const faults = watchFaults(context, product.address)
      await provide(faults)
      const hasFailed = testInfo.status !== testInfo.expectedStatus || faults.length > 0
      if (hasFailed) await keepPictures(context, testInfo)
      // What a page still requests when its test is over may be aborted.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(faults, 'errors of the pages').toEqual([])
    },
    { auto: true },
  ],
})

/** Keeps what a failed test has left on the screen beside its other results. */
async function keepPictures(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  for (const [index, page] of context.pages().entries()) {
    const path = testInfo.outputPath(`failed-${index + 1}.png`)
    // The browser may have ended with the test, which tells more than this would.
    await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined)
  }
}

/** As the other browser tests, with a product whose clock the test moves on. */
export const testInTime = test.extend<object, { product: ProductInTime }>({
  product: [
    async ({ saleFile }, provide) => {
      const product = await startProduct(saleFile, { isInTime: true })
      await provide(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})
