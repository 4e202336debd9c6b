import type { Reversal } from '#domain/settlement/facts.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Transaction } from '#contract/shapes.ts'
import { type BonusTokens } from '#domain/sale/bonus.ts'
import { cryptoAmount, formatDecimal, parseDecimal, USD_DECIMALS } from '#domain/money.ts'
import { reversePurchase } from '#server/database/purchases/reversals.ts'
import { findPurchase, requestSettlements } from '#server/database/purchases/purchases.ts'
import { insertMark } from '#server/database/settlement/settlements.ts'
import { savePrices } from '#server/database/sale/prices.ts'
import { receiptIdOf } from '#server/database/purchases/receipts.ts'
import { sendSandboxTransfer } from '#server/database/rails/sandbox-chain.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { watchChains } from '#server/use-cases/settlement/watch-chains.ts'
import {
  aPurchase,
  expectInvariants,
  lookAt,
  mine,
  pay,
  reorganise,
  setPaused,
} from '#tests/kit/builders/a-purchase.ts'
import { aUser, type RegisteredUser } from '#tests/kit/builders/a-user.ts'
import { ETH_DECIMALS, priced, TOKEN_DECIMALS } from '#tests/kit/builders/domain-builders.ts'
import {
  ETHER_PRICE,
  EXPIRY_MS,
  FATE_USD,
  type FateSale,
  fateSale,
  type FateStep,
  GRACE_MS,
} from './fate.ts'
import { inTokens, type FullEnd } from './fate-end.ts'
import { onTheWire } from '#tests/kit/builders/on-the-wire.ts'
import { createRepeatingRail, outputHash, type RepeatingRail } from './repeating-rail.ts'
import { startApp, type TestApp } from '#tests/kit/servers/start-app.ts'

const CHAIN = 'sandbox'
const USDT_DECIMALS = 6

/** A server on which stories happen, one after the other, through the calls that a wallet makes. */
export type FateServer = { app: TestApp; rail: RepeatingRail }

export async function startFateServer(unusual?: FateSale): Promise<FateServer> {
  const app = await startApp({ changeSale: () => fateSale(unusual, new Date()) })
  const sandbox = app.services.rails.get(CHAIN)
  if (sandbox === undefined) throw new Error('A server for stories has a sandbox.')
  const graceMs = () => (unusual?.hasGrace ? GRACE_MS : 0)
  const rail = { ...createRepeatingRail(sandbox), graceMs }
  app.services.rails = new Map([[CHAIN, rail]])
  return { app, rail }
}

type Sent = { receiptId: string; hash: string; outputs: number; asset: 'eth' | 'usdt' }

/** One story, played on a server. */
export class FateOverHttp {
  readonly #app: TestApp
  readonly #rail: RepeatingRail
  readonly #buyer: RegisteredUser
  readonly #purchases = new Map<string, Transaction>()
  readonly #sent = new Map<string, Sent>()

  constructor({ app, rail }: FateServer, buyer: RegisteredUser) {
    this.#app = app
    this.#rail = rail
    this.#buyer = buyer
  }

  async happen(steps: readonly FateStep[]): Promise<void> {
    await this.#price(ETHER_PRICE)
    await this.#buy('it', FATE_USD)
    for (const step of steps) await this.#take(step)
  }

  /** Reports every transfer again, and checks every invariant. */
  async reportAgain(): Promise<void> {
    this.#rail.repeatAll()
    await watchChains(this.#app.services)
    await expectInvariants(this.#app)
    expectComplaints(this.#app, 0)
  }

  /** The end as it is stored, after comparing it with what the buyer is shown. */
  async endOf(name: string): Promise<FullEnd> {
    const { id } = this.#purchase(name)
    const outcome = (await findPurchase(this.#app.open.database, id))?.outcome
    if (outcome === undefined) throw new Error(`'${name}' is not stored.`)
    const { base, bonuses, crypto, usd } = outcome.credited
    const end: FullEnd = {
      status: outcome.status,
      reason: outcome.reason ?? '',
      due: formatDecimal(outcome.due, ETH_DECIMALS),
      held: formatDecimal(outcome.reserved, TOKEN_DECIMALS),
      usd: formatDecimal(usd, USD_DECIMALS),
      ether: formatDecimal(crypto, ETH_DECIMALS),
      base: formatDecimal(base, TOKEN_DECIMALS),
      bonuses: inTokens(bonuses),
      stages: inTokens(
        Object.fromEntries(outcome.allocations.map(({ stageId, tokens }) => [stageId, tokens])),
      ),
      refunds: await this.#refundsOf(id),
    }
    expectShown(end, bonuses, await lookAt(this.#app, this.#buyer, { id }))
    return end
  }

  async #refundsOf(purchaseId: string): Promise<Record<string, string>> {
    const rows = await this.#app.open.database
      .selectFrom('refunds_due')
      .selectAll()
      .where('purchase_id', '=', purchaseId)
      .execute()
    const named = new Map([...this.#sent].map(([name, sent]) => [sent.receiptId, { name, sent }]))
    return Object.fromEntries(
      rows.map(({ receipt_id, amount, why }) => {
        const { name, sent } = named.get(receipt_id) ?? { name: receipt_id, sent: null }
        const decimals = sent?.asset === 'usdt' ? USDT_DECIMALS : ETH_DECIMALS
        return [name, `${formatDecimal(amount, decimals)} ${why}`]
      }),
    )
  }

  async #take(step: FateStep): Promise<void> {
    const app = this.#app
    if (step === 'reports again') await this.reportAgain()
    else if (step === 'expires' || step === 'expires unread') await this.#expire(step)
    else if (step === 'grace ends') await this.#pass(GRACE_MS)
    else if (step === 'pauses' || step === 'resumes') await setPaused(app, step === 'pauses')
    else if ('pays' in step) await this.#pay(step)
    else if ('mines' in step) await mine(app, step.mines)
    else if ('reorganises' in step) await reorganise(app, step.reorganises)
    else if ('minesAgain' in step) await this.#mineAgain(step.minesAgain)
    else if ('ether' in step) await this.#price(step.ether)
    else if ('buys' in step) await this.#buy(step.buys, step.usd)
    else if ('rivalBuys' in step) await this.#rivalBuys(step)
    else if ('reverses' in step) await this.#reverse(step.reverses)
    else await this.#mark(step.operator)
  }

  async #buy(name: string, usd: string): Promise<void> {
    const purchase = await aPurchase(this.#app, this.#buyer, { usd: Number(usd), token: 'eth' })
    this.#purchases.set(name, purchase)
  }

  async #pay(step: Extract<FateStep, { pays: string }>): Promise<void> {
    const { pays, as = 'a payment', to = 'it', asset, besides } = step
    const purchase = this.#purchase(to)
    if (asset === undefined && besides === undefined) {
      const receiptId = await pay(this.#app, purchase, pays)
      this.#sent.set(as, {
        receiptId,
        hash: await this.#hashOf(receiptId),
        outputs: 1,
        asset: 'eth',
      })
      return
    }
    // What the sandbox's wallet cannot do: another asset, or a further output.
    const sibling = besides === undefined ? undefined : this.#receipt(besides)
    const hash = sibling?.hash ?? `sandbox-${randomUUID()}`
    const index = sibling?.outputs ?? 0
    if (sibling !== undefined) sibling.outputs += 1
    await sendSandboxTransfer(this.#app.open.database, {
      transactionHash: index === 0 ? hash : outputHash(hash, index),
      address: purchase.payment_address ?? '',
      paymentTokenId: asset ?? 'eth',
      amount: cryptoAmount(
        parseDecimal(pays, asset === undefined ? ETH_DECIMALS : USDT_DECIMALS) ?? 0n,
      ),
      sentAt: this.#app.clock.now(),
    })
    await watchChains(this.#app.services)
    const receiptId = receiptIdOf(CHAIN, hash, index)
    this.#sent.set(as, { receiptId, hash, outputs: index + 1, asset: asset ?? 'eth' })
  }

  async #hashOf(receiptId: string): Promise<string> {
    const row = await this.#app.open.database
      .selectFrom('receipts')
      .select('transaction_hash')
      .where('id', '=', receiptId)
      .executeTakeFirstOrThrow()
    return row.transaction_hash
  }

  async #mineAgain(name: string): Promise<void> {
    const { hash } = this.#receipt(name)
    await sql`
      with tip as (update sandbox_chain set revision = revision + 1 returning revision)
      update sandbox_transfers set is_gone = false, revision = tip.revision from tip
      where split_part(transaction_hash, '#', 1) = ${hash}`.execute(this.#app.open.database)
    await mine(this.#app)
  }

  async #expire(step: 'expires' | 'expires unread'): Promise<void> {
    const app = this.#app
    if (step === 'expires') {
      await this.#pass(EXPIRY_MS + 1_000)
      return
    }
    await this.#passUnread(EXPIRY_MS + 1_000)
    const silent = { ...this.#rail, read: () => Promise.reject(new Unavailable('No answer')) }
    await watchChains({ ...app.services, rails: new Map([[CHAIN, silent]]) })
    expectComplaints(app, 1)
  }

  async #pass(ms: number): Promise<void> {
    await this.#passUnread(ms)
    await watchChains(this.#app.services)
  }

  /** The price of ether stays what it was. */
  async #passUnread(ms: number): Promise<void> {
    const price = await this.#app.open.database
      .selectFrom('prices')
      .select('price')
      .where('symbol', '=', 'ETH')
      .executeTakeFirstOrThrow()
    await this.#app.passTime(ms)
    await this.#price(formatDecimal(price.price, 12))
  }

  async #price(ether: string): Promise<void> {
    const prices = new Map([
      ['ETH', { price: priced(ether), sources: [] }],
      ['USDT', { price: priced('1'), sources: [] }],
    ])
    const { open, clock, services } = this.#app
    await savePrices(open.database, prices, clock.now())
    services.market.invalidate()
  }

  async #mark(kind: 'failed' | 'held' | 'released'): Promise<void> {
    const { open, clock, services } = this.#app
    const { id } = this.#purchase('it')
    await open.database.transaction().execute(async (transaction) => {
      await requestSettlements(transaction, [id])
      await insertMark(transaction, id, { kind, at: clock.now(), reason: 'A story' })
    })
    await watchChains(services)
  }

  async #reverse(kind: Reversal['kind']): Promise<void> {
    const { open, clock, services } = this.#app
    const { id } = this.#purchase('it')
    await open.database.transaction().execute(async (transaction) => {
      await requestSettlements(transaction, [id])
      // The sale of the stories gives no right to withdraw.
      await sql`update purchases set withdrawable_until = '2100-01-01' where id = ${id}`.execute(
        transaction,
      )
      await reversePurchase(transaction, id, { kind, at: clock.now() })
    })
    await watchChains(services)
  }

  async #rivalBuys(step: Extract<FateStep, { rivalBuys: string }>): Promise<void> {
    const rival = await aUser(this.#app)
    const purchase = await aPurchase(this.#app, rival, { usd: Number(step.rivalBuys) })
    if (!step.paying) return
    await pay(this.#app, purchase)
    await mine(this.#app, 2)
  }

  #purchase(name: string): Transaction {
    const purchase = this.#purchases.get(name)
    if (purchase === undefined) throw new Error(`The story has no purchase '${name}'.`)
    return purchase
  }

  #receipt(name: string): Sent {
    const sent = this.#sent.get(name)
    if (sent === undefined) throw new Error(`The story has no payment '${name}'.`)
    return sent
  }
}

const tokensOf = (text: string) => parseDecimal(text, TOKEN_DECIMALS) ?? 0n

/** What a buyer is shown of a purchase is what is stored. */
function expectShown(end: FullEnd, bonuses: BonusTokens, shown: Transaction): void {
  expect(shown).toMatchObject({
    status: end.status,
    status_reason: end.reason === '' ? null : end.reason,
    payment_amount: end.due,
  })
  if (end.status !== 'completed') {
    expect(shown.actual_purchase_amount_fiat).toBeNull()
    return
  }
  const shownBonuses = Object.entries(bonuses).map(([type, tokens]) => [
    type,
    onTheWire(formatDecimal(tokens, TOKEN_DECIMALS)),
  ])
  const total = Object.values(end.stages).reduce((sum, text) => sum + tokensOf(text), 0n)
  expect({
    usd: shown.actual_purchase_amount_fiat,
    crypto: shown.actual_purchase_amount_crypto,
    tokens: shown.tokens,
  }).toEqual({
    usd: onTheWire(end.usd),
    crypto: onTheWire(end.ether),
    tokens: {
      base: onTheWire(end.base),
      bonuses: Object.fromEntries(shownBonuses),
      total: onTheWire(formatDecimal(total, TOKEN_DECIMALS)),
    },
  })
}

/** Expects this many warnings and errors, and clears them. */
function expectComplaints({ complaints }: TestApp, count: number): void {
  expect(complaints.splice(0)).toHaveLength(count)
}
