import { afterAll, beforeAll, expect, test } from 'vitest'
import { saleFilesContract } from '#contract/operator/sale-files.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { atGateway, startGatewayApp } from '#tests/kit/servers/gateway-app.ts'
import type { TestApp } from '#tests/kit/servers/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startGatewayApp([atGateway('nowpayments', 'btc')], {})
  // The settings of this test are not those of a real sale.
  app.services.saleFiles = { ...app.services.saleFiles, listMissing: () => [] }
})
afterAll(() => app.close())

async function check(text: string) {
  return (await app.client.call(saleFilesContract.checkSaleFile, { body: { text } }, operator)).body
}

test('the check of a sale file shows what a start with it would warn of', async () => {
  const { text } = (await app.client.call(saleFilesContract.getSaleFile, {}, operator)).body
  const { faults, warnings } = await check(text)
  expect(faults).toEqual([])
  expect(warnings).toContainEqual(expect.stringContaining('still the example'))
  expect((await check(`${text}\nnonsense: 1`)).warnings).toEqual([])
})
