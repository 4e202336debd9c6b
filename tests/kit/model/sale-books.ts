import {
  availableAccount,
  type BookedPurchase,
  chainAccount,
  type LedgerTransfer,
  openingTransfers,
  receivedAccount,
  refundsAccount,
  reservationTransfers,
  reservedAccount,
  rewardTransfers,
  settlementTransfers,
  SUPPLY_ACCOUNT,
  TOKEN_ASSET,
  userAccount,
} from '#domain/settlement/ledger.ts'
import { type TokenAmount, tokenAmount } from '#domain/money.ts'
import { settlePurchase } from '#domain/settlement/settle.ts'
import type { PurchaseFacts } from '#domain/settlement/facts.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import type { StageProgress } from '#domain/sale/sale.ts'
import { checkSo } from './check-so.ts'
import { checkOutcome } from './purchase-checks.ts'
import { PurchaseRecord, type Recording } from './purchase-record.ts'

type Counter = { supply: bigint; reserved: bigint; sold: bigint; taken: bigint }
type Entry = { userId: string; record: PurchaseRecord; outcome: PurchaseOutcome }

/** Neither the payment token of a purchase nor any other of the sale. */
const FOREIGN_ASSET = 'foreign'

/**
 * The books of a whole sale as a database would keep them: the counters of its stages, a ledger and
 * any number of purchases. Facts are recorded once each; settling derives an outcome and moves
 * ledger and counters by the difference. {@link SaleBooks.check} compares everything with
 * everything.
 */
export class SaleBooks {
  readonly #counters: Map<string, Counter>
  readonly #entries = new Map<string, Entry>()
  readonly #rewards = new Map<string, bigint>()
  readonly #balances = new Map<string, bigint>()
  #transferCount = 0

  constructor(supplies: ReadonlyMap<string, TokenAmount>) {
    this.#counters = new Map(
      [...supplies].map(([id, supply]) => [id, { supply, reserved: 0n, sold: 0n, taken: 0n }]),
    )
    for (const [id, supply] of supplies) this.#post(openingTransfers({ id, supply }))
  }

  get transferCount(): number {
    return this.#transferCount
  }

  get purchaseIds(): string[] {
    return [...this.#entries.keys()]
  }

  factsOf(id: string): PurchaseFacts {
    return this.#entry(id).record.facts
  }

  outcomeOf(id: string): PurchaseOutcome {
    return this.#entry(id).outcome
  }

  /** Makes a purchase, for which its stage must have room. */
  open(id: string, userId: string, facts: PurchaseFacts): void {
    const { stageId, reserved } = facts.terms
    checkSo(reserved <= this.roomOf(stageId), 'a purchase is made only where there is room')
    this.#counter(stageId).reserved += reserved
    this.#post(reservationTransfers(stageId, reserved))
    const outcome = settlePurchase(facts, () => this.roomOf(stageId))
    this.#entries.set(id, { userId, record: new PurchaseRecord(facts), outcome })
  }

  record(id: string, recording: Recording): void {
    this.#entry(id).record.record(recording)
  }

  loseFirstPurchaseBonus(id: string): void {
    this.#entry(id).record.store({ isFirstPurchaseBonusLost: true })
  }

  /** Derives the outcome of a purchase, books it and checks it. */
  settle(id: string): PurchaseOutcome {
    const entry = this.#entry(id)
    const { facts } = entry.record
    const { stageId } = facts.terms
    const before = entry.outcome
    const after = settlePurchase(facts, (asked) => this.roomOf(asked))
    const assetOf = (receiptId: string) => assetOfReceipt(facts, receiptId)
    this.#post(settlementTransfers({ userId: entry.userId, stageId, before, after, assetOf }))
    this.#counter(stageId).reserved += after.reserved - before.reserved
    for (const { stageId: from, tokens } of before.allocations) this.#counter(from).sold -= tokens
    for (const { stageId: from, tokens } of after.allocations) this.#counter(from).sold += tokens
    entry.outcome = after
    entry.record.store({ grants: after.grants, reservationLeft: after.reservationLeft })
    checkOutcome(entry.record.facts, after)
    return after
  }

  /** Credits a reward, or takes one back where `tokens` is negative. */
  reward(userId: string, tokens: bigint): void {
    this.#rewards.set(userId, (this.#rewards.get(userId) ?? 0n) + tokens)
    this.#post(rewardTransfers(userId, tokens))
  }

  /** Lets somebody else have tokens of a stage, as far as there are any. */
  take(stageId: string, tokens: TokenAmount): void {
    const room = this.roomOf(stageId)
    this.#counter(stageId).taken += tokens < room ? tokens : room
  }

  roomOf(stageId: string): TokenAmount {
    const { supply, reserved, sold, taken } = this.#counter(stageId)
    return tokenAmount(supply - reserved - sold - taken)
  }

  /** How far each stage has come. */
  progress(): Map<string, StageProgress> {
    return new Map(
      [...this.#counters].map(([id, { reserved, sold }]) => [
        id,
        { reserved: tokenAmount(reserved), sold: tokenAmount(sold) },
      ]),
    )
  }

  balanceOf(userId: string): bigint {
    return this.#balance(userAccount(userId), TOKEN_ASSET)
  }

  /** Compares counters, ledger, purchases and rewards with each other. */
  check(): void {
    this.#checkStages()
    this.#checkUsers()
    this.#checkMoney()
  }

  #checkStages(): void {
    const entries = [...this.#entries.values()]
    for (const [id, { supply, reserved, sold, taken }] of this.#counters) {
      const own = entries.filter(({ record }) => record.facts.terms.stageId === id)
      const held = own.reduce((sum, { outcome }) => sum + outcome.reserved, 0n)
      const given = entries
        .flatMap(({ outcome }) => outcome.allocations)
        .reduce((sum, { stageId, tokens }) => (stageId === id ? sum + tokens : sum), 0n)
      checkSo(reserved >= 0n && sold >= 0n, 'no counter is negative')
      checkSo(reserved + sold + taken <= supply, 'no stage is oversold')
      checkSo(held === reserved, 'what is reserved is held by purchases')
      checkSo(given === sold, 'what is sold was given to buyers')
      checkSo(
        this.#balance(reservedAccount(id), TOKEN_ASSET) === reserved,
        'the ledger has the reserved',
      )
      checkSo(
        this.#balance(availableAccount(id), TOKEN_ASSET) === supply - reserved - sold,
        'the ledger has the available',
      )
    }
  }

  #checkUsers(): void {
    const given = new Map(this.#rewards)
    for (const { userId, outcome } of this.#entries.values()) {
      const tokens = outcome.allocations.reduce((sum, part) => sum + part.tokens, 0n)
      given.set(userId, (given.get(userId) ?? 0n) + tokens)
    }
    for (const [userId, tokens] of given) {
      checkSo(this.balanceOf(userId) === tokens, 'the ledger has the tokens of each user')
      checkSo(tokens >= 0n, 'nobody has less than nothing')
    }
    const supplies = [...this.#counters.values()].reduce((sum, { supply }) => sum + supply, 0n)
    const rewards = [...this.#rewards.values()].reduce((sum, tokens) => sum + tokens, 0n)
    checkSo(
      this.#balance(SUPPLY_ACCOUNT, TOKEN_ASSET) === -(supplies + rewards),
      'all tokens come from the supply',
    )
  }

  #checkMoney(): void {
    const here = new Map<string, bigint>()
    const owed = new Map<string, bigint>()
    const sumUp = (
      sums: Map<string, bigint>,
      facts: PurchaseFacts,
      parts: BookedPurchase['booked'] | BookedPurchase['refunds'],
    ) => {
      for (const { receiptId, amount } of parts) {
        const asset = assetOfReceipt(facts, receiptId)
        sums.set(asset, (sums.get(asset) ?? 0n) + amount)
      }
    }
    const assets = new Set([FOREIGN_ASSET])
    for (const { record, outcome } of this.#entries.values()) {
      assets.add(record.facts.terms.paymentTokenId)
      sumUp(here, record.facts, outcome.booked)
      sumUp(owed, record.facts, outcome.refunds)
    }
    for (const asset of assets) {
      const [came, owes] = [here.get(asset) ?? 0n, owed.get(asset) ?? 0n]
      checkSo(this.#balance(chainAccount(asset), asset) === -came, 'the ledger has what came')
      checkSo(
        this.#balance(receivedAccount(asset), asset) === came - owes,
        'the ledger has what is kept',
      )
      checkSo(this.#balance(refundsAccount(asset), asset) === owes, 'the ledger has what is owed')
    }
  }

  #post(transfers: readonly LedgerTransfer[]): void {
    for (const { source, destination, asset, amount } of transfers) {
      checkSo(amount > 0n, 'every transfer moves something')
      this.#add(`${source} ${asset}`, -amount)
      this.#add(`${destination} ${asset}`, amount)
      this.#transferCount += 1
    }
  }

  #add(key: string, amount: bigint): void {
    this.#balances.set(key, (this.#balances.get(key) ?? 0n) + amount)
  }

  #balance(account: string, asset: string): bigint {
    return this.#balances.get(`${account} ${asset}`) ?? 0n
  }

  #counter(stageId: string): Counter {
    const counter = this.#counters.get(stageId)
    if (counter === undefined) throw new Error(`There is no stage '${stageId}'.`)
    return counter
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry === undefined) throw new Error(`There is no purchase '${id}'.`)
    return entry
  }
}

function assetOfReceipt({ receipts, terms }: PurchaseFacts, receiptId: string): string {
  const receipt = receipts.find(({ id }) => id === receiptId)
  return receipt?.isRightAsset === false ? FOREIGN_ASSET : terms.paymentTokenId
}
