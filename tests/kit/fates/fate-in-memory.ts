import { cryptoAmount, formatDecimal, parseDecimal, USD_DECIMALS } from '#domain/money.ts'
import {
  dollars,
  eth,
  ETH_DECIMALS,
  minute,
  priced,
  TOKEN_DECIMALS,
} from '#tests/kit/builders/domain-builders.ts'
import { EXPIRY_MS, type Fate, FATE_USD, fateSale, type FateStep, GRACE_MS } from './fate.ts'
import { inTokens, type FullEnd } from './fate-end.ts'
import type { Bought } from '#tests/kit/model/sale-model.ts'
import { SaleModel } from '#tests/kit/model/sale-model.ts'

const USDT_DECIMALS = 6
const BUYER = 'buyer'

/** Plays a story by the rules alone, and checks all books after each of its steps. */
export class FateInMemory {
  readonly #model: SaleModel
  readonly #purchases = new Map<string, string>()
  readonly #receipts = new Map<string, string>()
  #rivals = 0

  constructor(fate: Fate) {
    this.#model = new SaleModel(fateSale(fate.sale), minute(0))
    this.#model.graceMs = fate.sale?.hasGrace ? GRACE_MS : 0
    this.#model.register(BUYER)
    this.#buy(BUYER, 'it', FATE_USD)
    for (const step of fate.steps) this.#take(step)
  }

  /** Settles everything again. */
  settleAgain(): void {
    this.#model.settleAll()
    this.#model.books.check()
  }

  endOf(name: string): FullEnd {
    const id = found(this.#purchases, name)
    const outcome = this.#model.books.outcomeOf(id)
    const { status, reason, due, reserved, credited, allocations, refunds } = outcome
    const receiptNames = new Map([...this.#receipts].map(([called, is]) => [is, called]))
    const decimalsOf = (receiptId: string) => {
      const receipts = this.#model.books.factsOf(id).receipts
      const isRight = receipts.find((receipt) => receipt.id === receiptId)?.isRightAsset
      return isRight === false ? USDT_DECIMALS : ETH_DECIMALS
    }
    return {
      status,
      reason: reason ?? '',
      due: formatDecimal(due, ETH_DECIMALS),
      held: formatDecimal(reserved, TOKEN_DECIMALS),
      usd: formatDecimal(credited.usd, USD_DECIMALS),
      ether: formatDecimal(credited.crypto, ETH_DECIMALS),
      base: inTokens({ base: credited.base })['base'] ?? '',
      bonuses: inTokens(credited.bonuses),
      stages: inTokens(
        Object.fromEntries(allocations.map(({ stageId, tokens }) => [stageId, tokens])),
      ),
      refunds: Object.fromEntries(
        refunds.map(({ receiptId, amount, why }) => [
          receiptNames.get(receiptId) ?? receiptId,
          `${formatDecimal(amount, decimalsOf(receiptId))} ${why}`,
        ]),
      ),
    }
  }

  #take(step: FateStep): void {
    const model = this.#model
    model.pass(1)
    if (step === 'reports again') this.settleAgain()
    else if (step === 'expires' || step === 'expires unread') {
      model.isNodeSilent = step === 'expires unread'
      model.pass(EXPIRY_MS + 1_000)
    } else if (step === 'grace ends') model.pass(GRACE_MS)
    else if (step === 'pauses' || step === 'resumes')
      model.halt = step === 'pauses' ? 'paused' : null
    else if ('pays' in step) this.#pay(step)
    else if ('mines' in step) model.chain.mine(step.mines)
    else if ('reorganises' in step) model.chain.reorganise(step.reorganises)
    else if ('minesAgain' in step) {
      model.chain.sendAgain(found(this.#receipts, step.minesAgain))
      model.chain.mine(1)
    } else if ('ether' in step) model.setPrice('eth', priced(step.ether))
    else if ('buys' in step) this.#buy(BUYER, step.buys, step.usd)
    else if ('rivalBuys' in step) this.#rivalBuys(step)
    else if ('reverses' in step) model.reverse(found(this.#purchases, 'it'), step.reverses)
    else model.mark(found(this.#purchases, 'it'), step.operator)
    model.settle()
    model.books.check()
  }

  #buy(user: string, name: string, usd: string): Bought {
    const bought = this.#model.buy(user, 'eth', dollars(usd))
    if (typeof bought === 'string') throw new Error(`'${name}' cannot be bought: ${bought}`)
    this.#purchases.set(name, bought.purchaseId)
    return bought
  }

  #pay(step: Extract<FateStep, { pays: string }>): void {
    const { pays, as = 'a payment', to = 'it', asset, besides } = step
    const decimals = asset === 'usdt' ? USDT_DECIMALS : ETH_DECIMALS
    const amount = cryptoAmount(parseDecimal(pays, decimals) ?? 0n)
    const how = besides === undefined ? {} : { beside: found(this.#receipts, besides) }
    const receipt = this.#model.pay(found(this.#purchases, to), amount, {
      isRightAsset: asset === undefined,
      ...how,
    })
    this.#receipts.set(as, receipt)
  }

  #rivalBuys({ rivalBuys, paying }: Extract<FateStep, { rivalBuys: string }>): void {
    const rival = `rival-${(this.#rivals += 1)}`
    this.#model.register(rival)
    const { purchaseId, terms } = this.#buy(rival, rival, rivalBuys)
    if (!paying) return
    this.#model.pay(purchaseId, eth(formatDecimal(terms.cryptoDue, ETH_DECIMALS)), {})
    this.#model.chain.mine(2)
  }
}

function found(named: ReadonlyMap<string, string>, name: string): string {
  const id = named.get(name)
  if (id === undefined) throw new Error(`The story has no '${name}'.`)
  return id
}
