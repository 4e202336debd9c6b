import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorContract } from '#contract/operator/operations.ts'
import type { Transaction } from '#contract/shapes.ts'
import { usersContract } from '#contract/users.ts'
import { cryptoAmount, parseDecimal } from '#domain/money.ts'
import { mineSandboxBlocks, sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import { aPurchase, expectAllWell, lookAt } from '#tests/kit/builders/a-purchase.ts'
import { manyUsers, type SeededUser } from '#tests/kit/builders/many-users.ts'
import { operator } from '#tests/kit/builders/an-operator.ts'
import { readEvents } from '#tests/kit/servers/read-events.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const PARTS = 6n
const PURCHASES = 4
const DECIMALS = 18
const units = (text: string | null) => parseDecimal(text ?? '', DECIMALS) ?? 0n

/** One purchase at one moment, by whatever reply. */
type Shown = {
  status: string
  due: bigint
  receipts: readonly { amount: bigint; confirmations: number }[]
  required: number
}

let app: TestApp
let buyer: SeededUser
let address: string
beforeAll(async () => {
  app = await startApp()
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const [one] = await manyUsers(app.open.database, 1)
  if (one === undefined) throw new Error('There is no user.')
  buyer = one
})
afterAll(async () => {
  await expectAllWell(app)
  await app.close()
})

const ofTransaction = (transaction: Transaction): Shown => ({
  status: transaction.status,
  due: units(transaction.payment_amount),
  receipts: transaction.receipts.map(({ amount, confirmations }) => ({
    amount: units(amount),
    confirmations,
  })),
  required: transaction.required_confirmations,
})

async function ofRecord({ id }: Transaction): Promise<Shown> {
  const input = { params: { id } }
  const { body } = await app.client.call(operatorContract.getPurchaseRecord, input, operator)
  return {
    status: body.status,
    due: units(body.due_amount),
    receipts: body.receipts
      .filter(({ is_counted: isCounted }) => isCounted)
      .map(({ amount, confirmations }) => ({
        amount: units(amount),
        confirmations,
      })),
    required: 2,
  }
}

/** What does not fit together in a reply; null if all of it is of one moment. */
function contradiction({ status, due, receipts, required }: Shown, whole: bigint): string | null {
  const paid = receipts.reduce((sum, { amount }) => sum + amount, 0n)
  const fewest = Math.min(...receipts.map(({ confirmations }) => confirmations))
  if (status === 'pending') {
    return paid + due === whole ? null : `pending: ${paid} paid and ${due} due of ${whole}`
  }
  if (paid !== whole || due !== 0n) return `${status}: ${paid} paid and ${due} due of ${whole}`
  if (status === 'processing') {
    return fewest < required ? null : `processing with ${fewest} confirmations`
  }
  return fewest >= required ? null : `${status} with ${fewest} confirmations`
}

it('every reply and event shows receipts, due and status of one moment while payments come', async () => {
  const purchases = await Promise.all(
    Array.from({ length: PURCHASES }, () => aPurchase(app, buyer)),
  )
  const wholes = new Map(purchases.map(({ id, payment_amount: due }) => [id, units(due)]))
  const faults: string[] = []
  const seen = new Set<string>()
  const payment = { isOver: false }
  const note = (where: string, id: string, shown: Shown) => {
    const fault = contradiction(shown, wholes.get(id) ?? 0n)
    if (fault !== null) faults.push(`${where}: ${fault}`)
    seen.add(`${where} ${shown.status} ${shown.receipts.length > 0}`)
  }
  const whilePaying = async (look: (purchase: Transaction) => Promise<void>) => {
    while (!payment.isOver) for (const purchase of purchases) await look(purchase)
  }
  const one = (purchase: Transaction) =>
    lookAt(app, buyer, purchase).then((found) => note('one', found.id, ofTransaction(found)))
  const list = async () => {
    const input = { params: { id: buyer.id }, query: {} }
    const { data } = (await app.client.call(usersContract.listTransactions, input, buyer.as)).body
    for (const each of data) note('list', each.id, ofTransaction(each))
  }
  const record = async (purchase: Transaction) =>
    note('record', purchase.id, await ofRecord(purchase))
  const events = await readEvents(address, buyer.as.accessToken)
  const listen = async () => {
    for (const completed = new Set<string>(); completed.size < purchases.length;) {
      const { transaction } = await events.next('transaction')
      note('event', transaction.id, ofTransaction(transaction))
      if (transaction.status === 'completed') completed.add(transaction.id)
    }
  }
  const payAll = async () => {
    const { database } = app.open
    for (let part = 1n; part <= PARTS; part += 1n) {
      for (const { id, payment_address: to } of purchases) {
        const whole = wholes.get(id) ?? 0n
        const before = (whole * (part - 1n)) / PARTS
        await sendSandboxTransfer(database, {
          transactionHash: randomUUID(),
          address: to ?? '',
          paymentTokenId: 'eth',
          amount: cryptoAmount((whole * part) / PARTS - before),
          sentAt: app.clock.now(),
        })
        await watchChains(app.services)
      }
      await mineSandboxBlocks(database, 1, app.clock.now())
      await watchChains(app.services)
    }
    await mineSandboxBlocks(database, 2, app.clock.now())
    await watchChains(app.services)
  }
  const listening = listen()
  await Promise.all([
    payAll().finally(() => {
      payment.isOver = true
    }),
    ...[one, one, list, record, record].map(whilePaying),
  ])
  await listening
  events.close()

  expect([...new Set(faults)]).toEqual([])
  for (const where of ['one', 'list', 'record', 'event']) {
    expect(seen).toContain(`${where} pending true`)
  }
}, 60_000)
