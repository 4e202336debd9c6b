import { expect } from '@playwright/test'

import { saleContract } from '#contract/sale.ts'
import { transactionsContract } from '#contract/transactions.ts'
import { buyByHttp, mineBlocks, payByHttp } from './buying.ts'
import { callProduct } from './client.ts'
import type { Faults } from './faults.ts'
import type { LoggedIn } from './people.ts'
import { SMALL_SALE_FILE } from '#tests/kit/builders/small-sale-file.ts'

/** The small sale with these stages, each the inside of a YAML mapping on one line. */
export function saleWith(stages: readonly string[], finalPrice?: number): string {
  const [head = ''] = SMALL_SALE_FILE.split('stages:\n')
  const lines = stages.map((stage) => `  - { ${stage} }\n`)
  const price = finalPrice === undefined ? '' : `final_price: ${finalPrice}\n`
  return `${price}${head}stages:\n${lines.join('')}`
}

/** Makes a purchase by HTTP, pays it and waits until the tokens are there. */
export async function buy(address: string, buyer: LoggedIn, usd: number): Promise<void> {
  const purchase = await buyByHttp(address, buyer, usd)
  await payByHttp(address, purchase, purchase.payment_amount ?? '')
  await mineBlocks(address, 3)
  const params = { id: purchase.id }
  const look = () =>
    callProduct(address, transactionsContract.getTransaction, { params }, buyer.accessToken)
  await expect.poll(async () => (await look()).status).toBe('completed')
}

/** Buys everything that is left of the stage on sale. */
export async function buyOut(address: string, buyer: LoggedIn): Promise<void> {
  const stage = await callProduct(address, saleContract.getActiveStage, {})
  await buy(address, buyer, (stage.total_tokens - stage.sold_tokens) * stage.token_price)
}

/** The browser's messages for replies that report the state of the sale. */
const SALE_ANSWERS = /status of (404|409|410|503) \(|replied 503$/

/**
 * A sale that is not open, and a stage with too little left for the amount in the form, are
 * reported by a refusal, which a browser logs to its console.
 */
export function allowSaleAnswers(faults: Faults): void {
  allow(faults, (fault) => SALE_ANSWERS.test(fault))
}

/** A browser's messages for calls that reach nobody. */
const CUT_OFF =
  /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_|INCOMPLETE|EMPTY|NETWORK|FAILED|ABORTED)/

/** Without a network, and while the server is away, calls fail. */
export function allowCutOff(faults: Faults): void {
  allow(faults, (fault) => CUT_OFF.test(fault))
}

function allow(faults: Faults, isAllowed: (fault: string) => boolean): void {
  const left = faults.filter((fault) => !isAllowed(fault))
  faults.splice(0, faults.length, ...left)
}
