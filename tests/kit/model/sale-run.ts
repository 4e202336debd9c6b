import { isDeepStrictEqual } from 'node:util'
import { lockBonuses } from '#domain/sale/bonus.ts'
import { cryptoAmount, price, tokenAmount, usd } from '#domain/money.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { spendingLimits } from '#domain/sale/quote.ts'
import type { Sale } from '#domain/sale/sale.ts'
import { isSoldOut, stagePrice } from '#domain/sale/stage.ts'
import { checkSo } from './check-so.ts'
import { minute } from '#tests/kit/builders/domain-builders.ts'
import { bonusesByRates, expectedRates } from './expected-bonuses.ts'
import { Fraction } from './fraction.ts'
import type { SaleEvent } from './random-sale.ts'
import { type Bought, type BuyRefusal, SaleModel } from './sale-model.ts'

const GRACE_MS = 120_000
const USERS = ['ann', 'bob', 'cat', 'dan']

/**
 * A random sale that applies events, one by one. After each, everything that must always hold is
 * checked. What happened is collected in `seen`, so that a run over many sales can show what it
 * covered.
 */
export class SaleRun {
  readonly model: SaleModel
  readonly seen = new Set<string>()

  constructor(sale: Sale) {
    this.model = new SaleModel(sale, minute(0))
    this.model.graceMs = GRACE_MS
    for (const [index, user] of USERS.entries()) {
      this.model.register(user, USERS[index - 1] ?? null)
    }
  }

  /** Lets an event happen, settles what follows from it and checks. */
  apply(event: SaleEvent): void {
    const before = new Map(
      this.model.books.purchaseIds.map((id) => [id, this.model.books.outcomeOf(id)]),
    )
    this.#happen(event)
    this.model.settle()
    this.#check()
    this.#notice(before)
  }

  /** Settles everything again, which must change nothing. */
  finish(): void {
    const { model } = this
    const [outcomes, count] = [model.outcomes(), model.books.transferCount]
    model.settleAll()
    checkSo(model.books.transferCount === count, 'settling again moves nothing')
    checkSo(isDeepStrictEqual(model.outcomes(), outcomes), 'settling again changes nothing')
    for (const { status } of outcomes) this.seen.add(`ends ${status}`)
  }

  #happen(event: SaleEvent): void {
    const { model } = this
    switch (event.kind) {
      case 'buys':
        this.#buy(pick(USERS, event.user), event.token, BigInt(event.cents) * 10_000n)
        break
      case 'buys what is left':
        this.#buyRemainder(pick(USERS, event.user))
        break
      case 'pays':
        this.#pay(event)
        break
      case 'pays together':
        this.#payTogether(event)
        break
      case 'mines':
        model.chain.mine(event.count)
        break
      case 'reorganises':
        model.chain.reorganise(event.depth)
        break
      case 'mines again':
        this.#mineAgain(event.transfer)
        break
      case 'passes':
        model.pass(event.seconds * 1000)
        break
      case 'price moves': {
        const moved = (model.priceOf(event.token) * BigInt(event.percent)) / 100n
        model.setPrice(event.token, price(moved > 0n ? moved : 1n))
        break
      }
      case 'marks':
        this.#withPurchase(event.purchase, (id) => {
          model.mark(id, event.mark)
          this.seen.add(`an operator marks ${event.mark}`)
        })
        break
      case 'reverses':
        this.#withPurchase(event.purchase, (id) => {
          model.reverse(id, event.by)
          this.seen.add(`a purchase is ${event.by}`)
        })
        break
      case 'gateway fails':
        this.#withPurchase(event.purchase, (id) => model.failByGateway(id))
        break
      case 'pauses':
      case 'resumes':
        model.halt = event.kind === 'pauses' ? 'paused' : null
        break
      case 'node falls silent':
      case 'node answers':
        model.isNodeSilent = event.kind === 'node falls silent'
    }
  }

  #buy(user: string, token: string, amount: bigint): void {
    const { model } = this
    const spent = usd(amount)
    const isFirst = model.isNextFirst(user)
    const active = model.activeStage()
    const bought = model.buy(user, token, spent)
    this.seen.add(typeof bought === 'string' ? `refused: ${bought}` : 'bought')
    if (typeof bought === 'string' || active === null) {
      this.#checkRefusal(bought)
      return
    }
    const { quoted, terms } = bought
    const { stage, progress } = active
    const dollarsPaid = Fraction.scaled(spent, 6)
    const tokenPrice = Fraction.scaled(stagePrice(stage, progress.sold), 12)
    const base = tokenAmount(dollarsPaid.over(tokenPrice).wholeUnits(stage.tokenDecimals))
    const signedUpAt = model.users.get(user)?.signedUpAt ?? null
    const buyer = { paymentTokenId: token, now: model.now, signedUpAt, isFirstPurchase: isFirst }
    const bonuses = bonusesByRates(expectedRates(stage.bonuses, { ...buyer, spent }), base)
    checkSo(quoted.base === base, 'base tokens are dollars over price')
    checkSo(isDeepStrictEqual(quoted.bonuses, bonuses), 'bonuses are those of the table')
    checkSo(terms.reserved === quoted.total, 'what is reserved is what was quoted')
  }

  #checkRefusal(bought: Bought | BuyRefusal): void {
    checkSo(bought !== 'no room' || this.model.activeStage() !== null, 'room is asked of a stage')
  }

  /** Buys exactly what the form offers for everything that is left. */
  #buyRemainder(user: string): void {
    const { model } = this
    const active = model.activeStage()
    const signedUpAt = model.users.get(user)?.signedUpAt
    if (active === null || signedUpAt === undefined) return
    const { stage, progress } = active
    const isFirstPurchase = model.isNextFirst(user)
    const locked = lockBonuses(stage.bonuses, {
      paymentTokenId: 'usdt',
      now: model.now,
      signedUpAt,
      isFirstPurchase,
    })
    const limits = spendingLimits(stage, progress, model.paymentToken('usdt'), locked)
    const chosen =
      limits.max !== null && limits.max < limits.available ? limits.max : limits.available
    if (chosen < limits.min) return
    const bought = model.buy(user, 'usdt', chosen)
    const isRoom = bought !== 'no room' && bought !== 'below minimum'
    checkSo(isRoom, 'what is offered can be bought')
    if (typeof bought !== 'string') this.seen.add('bought all that was left')
  }

  #pay({ purchase, part, crumb, isForeign }: Extract<SaleEvent, { kind: 'pays' }>): void {
    this.#withPurchase(purchase, (id) => {
      const { terms } = this.model.books.factsOf(id)
      const amount = (terms.cryptoDue * BigInt(part)) / 1000n + BigInt(crumb)
      const paid = cryptoAmount(amount > 0n ? amount : 1n)
      this.model.pay(id, paid, { isRightAsset: !isForeign })
    })
  }

  #payTogether(event: Extract<SaleEvent, { kind: 'pays together' }>): void {
    const beside = pick(this.model.chain.transfers, event.transfer)
    if (beside === undefined || beside.isGone || beside.minedAt !== null) return
    this.#withPurchase(event.purchase, (id) => {
      const { terms } = this.model.books.factsOf(id)
      const amount = (terms.cryptoDue * BigInt(event.part)) / 1000n
      const paid = cryptoAmount(amount > 0n ? amount : 1n)
      this.model.pay(id, paid, { beside: beside.id })
      this.seen.add(
        id === beside.purchaseId
          ? 'one chain transaction, two receipts'
          : 'one chain transaction, two purchases',
      )
    })
  }

  #mineAgain(transfer: number): void {
    const gone = this.model.chain.transfers.filter(({ isGone }) => isGone)
    const chosen = pick(gone, transfer)
    if (chosen === undefined) return
    this.model.chain.sendAgain(chosen.id)
    this.model.chain.mine(1)
    this.seen.add('mined again after a fork')
  }

  #withPurchase(index: number, act: (id: string) => void): void {
    const id = pick(this.model.books.purchaseIds, index)
    if (id !== undefined) act(id)
  }

  #check(): void {
    const { model } = this
    model.books.check()
    const outcomesOf = (userId: string) =>
      model.books.purchaseIds
        .filter((id) => model.userOf(id).id === userId)
        .map((id) => model.books.outcomeOf(id))
    model.rewards.check((userId) =>
      outcomesOf(userId).reduce((sum, { credited }) => sum + credited.usd, 0n),
    )
    for (const user of USERS) {
      const withBonus = outcomesOf(user).filter(
        ({ credited }) => credited.bonuses.first_purchase_bonus !== undefined,
      )
      checkSo(withBonus.length <= 1, 'nobody has the bonus for a first purchase twice')
    }
  }

  #notice(before: ReadonlyMap<string, PurchaseOutcome>): void {
    const { model, seen } = this
    for (const id of model.books.purchaseIds) {
      const { status, reason, grants, allocations, refunds } = model.books.outcomeOf(id)
      const known = before.get(id)
      if (known?.status !== status || known.reason !== reason) {
        seen.add(reason === null ? status : `${status} (${reason})`)
      }
      const isUndone = known?.status === 'completed' && status !== 'completed'
      if (isUndone) seen.add('completed, then taken back')
      if (grants.some(({ isShort }) => isShort)) seen.add('a stage had too few tokens')
      if (allocations.length > 1) seen.add('tokens of two stages')
      for (const { why } of refunds) seen.add(`owed back: ${why}`)
    }
    const sold = model.books.progress()
    const over = model.sale.stages.filter((stage) => {
      const progress = sold.get(stage.id)
      return progress !== undefined && isSoldOut(stage, progress)
    })
    if (over.length > 0) seen.add('a stage sold out')
    const active = model.activeStage()?.stage
    if (active !== undefined && active !== model.sale.stages[0]) seen.add('a later stage on sale')
    if (active !== undefined && over.length > 0 && model.now < active.startsAt) {
      seen.add('handed over before its time')
    }
    if (model.rewards.granted().size > 0) seen.add('a referrer rewarded')
    if (model.rewards.reversedCount > 0) seen.add('a reward taken back')
  }
}

function pick<Thing>(things: readonly Thing[], index: number): Thing
function pick<Thing>(things: readonly Thing[], index: number): Thing | undefined {
  return things[index % things.length]
}
