import { stagePrice } from '#domain/sale/stage.ts'
import { tokenAmount } from '#domain/money.ts'
import { endOf } from './purchase-end.ts'
import { RewardBook } from './reward-book.ts'
import { SaleBooks } from './sale-books.ts'
import type { SaleModel } from './sale-model.ts'

/** How a sale has ended, as far as buyers and referrers notice. */
export type SaleEnd = {
  purchases: ReturnType<typeof endOf>[]
  balances: bigint[]
  /** The referred users for whom somebody is rewarded. */
  rewarded: string[]
  soldTokens: bigint
}

/**
 * Makes the purchases of a sale again and gives new books the same facts, in another order.
 * @param settlesAt Called after each fact; says whether its purchase is settled now.
 */
export function replay(model: SaleModel, log: SaleModel['log'], settlesAt: () => boolean): SaleEnd {
  const { sale, books: former, users } = model
  const userOf = (id: string) => model.userOf(id)
  const books = new SaleBooks(new Map(sale.stages.map(({ id, supply }) => [id, supply])))
  const rewards = new RewardBook(books)
  const ids = former.purchaseIds
  const settle = (id: string) => {
    books.settle(id)
    const { id: refereeId, referrerId } = userOf(id)
    const [stage] = sale.stages
    if (referrerId === null || stage === undefined) return
    const own = ids.filter((other) => userOf(other).id === refereeId)
    const outcomes = own.map((other) => books.outcomeOf(other))
    const tokenPrice = stagePrice(stage, tokenAmount(0n))
    rewards.settle({ refereeId, referrerId, outcomes, stage, tokenPrice })
  }

  for (const id of ids) {
    const { terms, isFirstPurchaseBonusLost } = former.factsOf(id)
    books.open(id, userOf(id).id, {
      terms,
      receipts: [],
      grants: [],
      reservationLeft: terms.reserved,
      isFirstPurchaseBonusLost,
      marks: [],
      reversal: null,
      hasGatewayFailed: false,
      chainReadThrough: null,
    })
  }
  for (const { purchaseId, recording } of log) {
    books.record(purchaseId, recording)
    if (settlesAt()) settle(purchaseId)
  }
  for (const id of ids) settle(id)
  const count = books.transferCount
  for (const id of ids) settle(id)
  if (books.transferCount !== count) throw new Error('Settling again has moved something.')
  books.check()
  return {
    purchases: ids.map((id) => endOf(books.outcomeOf(id))),
    balances: [...users.keys()].map((user) => books.balanceOf(user)),
    rewarded: [...rewards.granted().keys()].toSorted(),
    soldTokens: [...books.progress().values()].reduce((sum, { sold }) => sum + sold, 0n),
  }
}
