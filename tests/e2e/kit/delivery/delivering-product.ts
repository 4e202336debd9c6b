import { getAddress } from 'viem'
import { type Anvil, startAnvil } from '#tests/kit/servers/anvil.ts'
import { buyingSaleFile } from '#tests/e2e/kit/buying-sale.ts'
import { type Product, startProduct } from '#tests/e2e/kit/product.ts'
import { test as base } from '#tests/e2e/kit/test.ts'

/** A product that is paid in the sandbox and delivers its tokens on the test's own chain. */
export type ProductOnDelivery = Product & {
  /** Mines only on request. */
  chain: Anvil
  /** The contract of the token that is sold. */
  token: string
}

/** Confirmations that a delivery needs here. */
export const CONFIRMATIONS = 2

/** As the other browser tests; all tokens are sold by one purchase of $100. */
export const test = base.extend<object, { product: ProductOnDelivery }>({
  product: [
    async ({ saleFile }, provide) => {
      const chain = await startAnvil()
      const token = getAddress(await chain.deployToken({ decimals: 18 }))
      const product = await startProduct(withDelivery(saleFile ?? soldAtOnce, token), {
        database: 'postgres',
        environment: {
          EVM_RPC_URL_1: chain.url,
          EVM_CONFIRMATIONS_1: String(CONFIRMATIONS),
        },
      })
      const delivering: ProductOnDelivery = { ...product, chain, token }
      await provide(delivering)
      await product.stop()
      await chain.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

const soldAtOnce = buyingSaleFile({ tokenPrice: '1', totalTokens: '100' })

function withDelivery(sale: string, token: string): string {
  const contract = `  contract: { chain: ERC20, address: '${token}' }\n`
  const delivered = sale.replace('purchases:', `${contract}purchases:`)
  return `${delivered}delivery: { chain: ERC20, chain_id: 1 }\n`
}
