import { test as base, expect } from '@playwright/test'

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
    async ({ context, product }, provide) => {
      const faults = watchFaults(context, product.address)
      await provide(faults)
      // What a page still requests when its test is over may be aborted.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(faults, 'errors of the pages').toEqual([])
    },
    { auto: true },
  ],
})

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
