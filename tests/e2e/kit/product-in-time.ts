import { type ProductInTime, startProduct } from './product.ts'
import { test as base } from './test.ts'

/** As the other browser tests, with a product whose clock the test moves on. */
export const test = base.extend<object, { product: ProductInTime }>({
  product: [
    async ({ saleFile }, provide) => {
      const product = await startProduct(saleFile, { isInTime: true })
      await provide(product)
      await product.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})
