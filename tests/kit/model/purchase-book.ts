import type { TokenAmount } from '#domain/money.ts'
import type { PurchaseFacts } from '#domain/settlement/facts.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import type { Recording } from './purchase-record.ts'
import { SaleBooks } from './sale-books.ts'

/** Somebody else buys what a stage has, as far as there is any. */
export type Rival = { kind: 'rival'; stageId: string; tokens: TokenAmount }

const PURCHASE = 'purchase'

/** The books of a sale with one purchase; after each settlement every invariant is checked. */
export class PurchaseBook {
  readonly #books: SaleBooks

  constructor(facts: PurchaseFacts, supplies: ReadonlyMap<string, TokenAmount>) {
    this.#books = new SaleBooks(supplies)
    this.#books.open(PURCHASE, 'buyer', facts)
  }

  get outcome(): PurchaseOutcome {
    return this.#books.outcomeOf(PURCHASE)
  }

  get transferCount(): number {
    return this.#books.transferCount
  }

  get facts(): PurchaseFacts {
    return this.#books.factsOf(PURCHASE)
  }

  record(recording: Recording | Rival): void {
    if (recording.kind === 'rival') this.#books.take(recording.stageId, recording.tokens)
    else this.#books.record(PURCHASE, recording)
  }

  /** Derives the outcome, moves ledger and counters, and checks every invariant. */
  settle(): void {
    this.#books.settle(PURCHASE)
    this.#books.check()
  }
}
