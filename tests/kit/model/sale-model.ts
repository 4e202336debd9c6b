import { lockBonuses } from '#domain/sale/bonus.ts'
import type { CryptoAmount, Price, Usd } from '#domain/money.ts'
import { ordinaryMinimum, type Quote, quote, spendingLimits } from '#domain/sale/quote.ts'
import type { OperatorMark, Reversal } from '#domain/settlement/facts.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import type {
  PaymentToken,
  PurchaseTerms,
  Sale,
  SaleHalt,
  Stage,
  StageProgress,
} from '#domain/sale/sale.ts'
import { isSoldOut, progressOf, saleStatus, stagePrice } from '#domain/sale/stage.ts'
import { dollars } from '#tests/kit/builders/domain-builders.ts'
import { ChainModel, type ReportedTransfer } from './chain-model.ts'
import { RewardBook } from './reward-book.ts'
import type { Recording, Sighting } from './purchase-record.ts'
import { SaleBooks } from './sale-books.ts'

export type ModelUser = {
  id: string
  referrerId: string | null
  signedUpAt: Date
  /** Who has the bonus for a first purchase, lapsed or not. */
  firstPurchaseId: string | null
}

/** Why somebody could not buy. */
export type BuyRefusal =
  | 'not started'
  | 'paused'
  | 'ended'
  | 'above maximum'
  | 'below minimum'
  | 'too many open'
  | 'no room'

export type Bought = { purchaseId: string; terms: PurchaseTerms; quoted: Quote }

const REQUIRED_CONFIRMATIONS = 2

/**
 * A running sale, in memory: people buy, pay and wait, a chain mines and forks, an operator marks
 * and pauses. All rules are the domain's own; this only adds the order in which a server applies
 * them. Every recorded fact is kept in `log`, so that another book can be given the same facts in
 * another order.
 */
export class SaleModel {
  readonly sale: Sale
  readonly books: SaleBooks
  readonly rewards: RewardBook
  readonly chain = new ChainModel(REQUIRED_CONFIRMATIONS)
  readonly log: { purchaseId: string; recording: Recording }[] = []
  readonly users = new Map<string, ModelUser>()
  readonly #userOf = new Map<string, ModelUser>()
  readonly #prices: Map<string, Price>
  readonly #reported = new Map<string, ReportedTransfer & { revision: number }>()
  readonly #receipts = new Map<string, Sighting['receipt']>()
  readonly #due = new Set<string>()
  readonly #soldOutAt = new Map<string, Date>()
  now: Date
  halt: SaleHalt | null = null
  /** A node that does not answer: nothing is read, and nothing expires. */
  isNodeSilent = false
  /** How long after its expiry a purchase can still be paid in time. */
  graceMs = 0

  constructor(sale: Sale, now: Date) {
    this.sale = sale
    this.now = now
    this.books = new SaleBooks(new Map(sale.stages.map(({ id, supply }) => [id, supply])))
    this.rewards = new RewardBook(this.books)
    this.#prices = new Map(
      sale.paymentTokens.flatMap(({ id, fixedPrice }) =>
        fixedPrice === null ? [] : [[id, fixedPrice] as const],
      ),
    )
  }

  register(id: string, referrerId: string | null = null): void {
    this.users.set(id, { id, referrerId, signedUpAt: this.now, firstPurchaseId: null })
  }

  userOf(purchaseId: string): ModelUser {
    return found(this.#userOf.get(purchaseId), purchaseId)
  }

  pass(ms: number): void {
    this.now = new Date(this.now.getTime() + ms)
  }

  setPrice(paymentTokenId: string, price: Price): void {
    this.#prices.set(paymentTokenId, price)
  }

  priceOf(paymentTokenId: string): Price {
    return found(this.#prices.get(paymentTokenId), paymentTokenId)
  }

  /** How far each stage has come, and when all of it was first sold. */
  progress(): ReadonlyMap<string, StageProgress> {
    return new Map(
      [...this.books.progress()].map(([id, progress]) => [
        id,
        { ...progress, soldOutAt: this.#soldOutAt.get(id) ?? null },
      ]),
    )
  }

  /** What is on sale now; null if nothing is. */
  activeStage(): { stage: Stage; progress: StageProgress } | null {
    const progress = this.progress()
    const status = saleStatus(this.sale, progress, this.halt, this.now)
    if (status.status !== 'ACTIVE') return null
    return { stage: status.stage, progress: progressOf(progress, status.stage) }
  }

  /** Makes a purchase, or returns why not. */
  buy(userId: string, paymentTokenId: string, usd: Usd): Bought | BuyRefusal {
    const status = saleStatus(this.sale, this.progress(), this.halt, this.now).status
    if (status === 'NOT_STARTED') return 'not started'
    const active = this.activeStage()
    if (active === null) return status === 'PAUSED' ? 'paused' : 'ended'
    const { stage, progress } = active
    const paymentToken = this.paymentToken(paymentTokenId)
    if (stage.maxUsd !== null && usd > stage.maxUsd) return 'above maximum'
    const ordinary = ordinaryMinimum(stage, progress, paymentToken)
    const { min } = spendingLimits(stage, progress, paymentToken)
    if (usd < ordinary && usd < min) return 'below minimum'
    const open = this.books.purchaseIds.filter(
      (id) => this.userOf(id).id === userId && this.books.outcomeOf(id).status === 'pending',
    )
    if (open.length >= this.sale.purchases.openPerUserMax) return 'too many open'

    const { quoted, terms } = this.#offer(userId, paymentToken, usd, active)
    if (terms.reserved > this.books.roomOf(stage.id)) return 'no room'
    return this.#open(userId, { ...terms, minUsd: usd < ordinary ? min : ordinary }, quoted)
  }

  /** Whether the next purchase of a user would have the bonus for the first one. */
  isNextFirst(userId: string): boolean {
    const { firstPurchaseId } = found(this.users.get(userId), userId)
    if (firstPurchaseId === null) return true
    const { status } = this.books.outcomeOf(firstPurchaseId)
    return status === 'expired' || status === 'failed'
  }

  paymentToken(id: string): PaymentToken {
    return found(
      this.sale.paymentTokens.find((token) => token.id === id),
      id,
    )
  }

  pay(purchaseId: string, amount: CryptoAmount, how: { isRightAsset?: boolean; beside?: string }) {
    const { isRightAsset = true, beside } = how
    return this.chain.send({ purchaseId, amount, isRightAsset, sentAt: this.now }, beside)
  }

  mark(purchaseId: string, kind: OperatorMark['kind']): void {
    this.#record(purchaseId, { kind: 'mark', mark: { kind, at: this.now } })
  }

  reverse(purchaseId: string, kind: Reversal['kind']): void {
    if (this.books.factsOf(purchaseId).reversal !== null) return
    this.#record(purchaseId, { kind: 'reversal', reversal: { kind, at: this.now } })
  }

  failByGateway(purchaseId: string): void {
    this.#record(purchaseId, { kind: 'gateway failed' })
  }

  /** Reads the chain if it answers, settles what is new, and rewards. */
  settle(): void {
    if (!this.isNodeSilent) this.#readChain()
    const due = [...this.#due].toSorted()
    this.#due.clear()
    this.#settleAll(due)
  }

  /** Settles every purchase again, whether or not there is news of it. */
  settleAll(): void {
    this.#settleAll(this.books.purchaseIds)
  }

  outcomes(): PurchaseOutcome[] {
    return this.books.purchaseIds.map((id) => this.books.outcomeOf(id))
  }

  #offer(
    userId: string,
    paymentToken: PaymentToken,
    usd: Usd,
    { stage, progress }: { stage: Stage; progress: StageProgress },
  ): { quoted: Quote; terms: PurchaseTerms } {
    const { signedUpAt } = found(this.users.get(userId), userId)
    const locked = lockBonuses(stage.bonuses, {
      paymentTokenId: paymentToken.id,
      now: this.now,
      signedUpAt,
      isFirstPurchase: this.isNextFirst(userId),
    })
    const cryptoPrice = this.priceOf(paymentToken.id)
    const quoted = quote({ stage, progress, paymentToken, cryptoPrice, usd, locked })
    const terms: PurchaseTerms = {
      stageId: stage.id,
      paymentTokenId: paymentToken.id,
      usd,
      tokenPrice: quoted.tokenPrice,
      tokenDecimals: stage.tokenDecimals,
      cryptoPrice,
      cryptoDecimals: paymentToken.decimals,
      cryptoDue: quoted.cryptoDue,
      reserved: quoted.total,
      lockedBonuses: locked,
      minUsd: ordinaryMinimum(stage, progress, paymentToken),
      railMinUsd: dollars('0'),
      maxUsd: stage.maxUsd,
      requiredConfirmations: REQUIRED_CONFIRMATIONS,
      termsDate: '2030-01-01',
      withdrawableUntil: null,
      createdAt: this.now,
      expiresAt: new Date(this.now.getTime() + this.sale.purchases.expireAfterMs),
      graceEndsAt: new Date(this.now.getTime() + this.sale.purchases.expireAfterMs + this.graceMs),
    }
    return { quoted, terms }
  }

  #open(userId: string, terms: PurchaseTerms, quoted: Quote): Bought {
    const user = found(this.users.get(userId), userId)
    const purchaseId = `purchase-${this.books.purchaseIds.length + 1}`
    const isFirst = this.isNextFirst(userId)
    if (isFirst && user.firstPurchaseId !== null) {
      this.books.loseFirstPurchaseBonus(user.firstPurchaseId)
    }
    if (isFirst) user.firstPurchaseId = purchaseId
    this.#userOf.set(purchaseId, user)
    this.books.open(purchaseId, userId, {
      terms,
      receipts: [],
      grants: [],
      reservationLeft: terms.reserved,
      isFirstPurchaseBonusLost: !isFirst,
      marks: [],
      reversal: null,
      hasGatewayFailed: false,
      chainReadThrough: null,
    })
    return { purchaseId, terms, quoted }
  }

  #settleAll(ids: readonly string[]): void {
    const spenders = ids.filter((id) => {
      const before = this.books.outcomeOf(id).credited.usd
      return this.books.settle(id).credited.usd !== before
    })
    const progress = this.books.progress()
    for (const stage of this.sale.stages) {
      const isKnown = this.#soldOutAt.has(stage.id)
      if (!isKnown && isSoldOut(stage, progressOf(progress, stage))) {
        this.#soldOutAt.set(stage.id, this.now)
      }
    }
    this.#reward(spenders)
  }

  #readChain(): void {
    for (const reported of this.chain.read()) {
      const { transfer, state, confirmations } = reported
      const before = this.#reported.get(transfer.id)
      if (before?.state === state && before.confirmations === confirmations) continue
      const revision = (before?.revision ?? 0) + 1
      this.#reported.set(transfer.id, { ...reported, revision })
      const receipt = this.#firstSight(reported)
      this.#record(transfer.purchaseId, {
        kind: 'sighting',
        sighting: { receipt, revision, state },
      })
    }
    for (const id of this.books.purchaseIds) {
      const isPending = this.books.outcomeOf(id).status === 'pending'
      const isDue = isPending && this.books.factsOf(id).terms.graceEndsAt <= this.now
      const { chainReadThrough } = this.books.factsOf(id)
      const isRead = chainReadThrough !== null && chainReadThrough >= this.now
      if (!isRead) this.#note(id, { kind: 'watermark', at: this.now })
      if (isDue) this.#due.add(id)
    }
  }

  /** What is stored of the moment at which a receipt was first seen. */
  #firstSight({ transfer }: ReportedTransfer): Sighting['receipt'] {
    const known = this.#receipts.get(transfer.id)
    if (known !== undefined) return known
    const active = this.activeStage()
    const { paymentTokenId } = this.books.factsOf(transfer.purchaseId).terms
    const receipt = {
      id: transfer.id,
      amount: transfer.amount,
      isRightAsset: transfer.isRightAsset,
      requiredConfirmations: REQUIRED_CONFIRMATIONS,
      seenAt: transfer.sentAt,
      market:
        active === null
          ? null
          : {
              stageId: active.stage.id,
              tokenPrice: stagePrice(active.stage, active.progress.sold),
              cryptoPrice: this.priceOf(paymentTokenId),
            },
    }
    this.#receipts.set(transfer.id, receipt)
    return receipt
  }

  #record(purchaseId: string, recording: Recording): void {
    this.#note(purchaseId, recording)
    this.#due.add(purchaseId)
  }

  #note(purchaseId: string, recording: Recording): void {
    this.log.push({ purchaseId, recording })
    this.books.record(purchaseId, recording)
  }

  #reward(spenders: readonly string[]): void {
    const referees = new Set(spenders.map((id) => this.userOf(id)))
    const progress = this.progress()
    const status = saleStatus(this.sale, progress, null, this.now)
    const started = this.sale.stages.filter(({ startsAt }) => startsAt <= this.now)
    const last = started.at(-1) ?? this.sale.stages[0]
    const stage = status.status === 'ACTIVE' ? status.stage : last
    if (stage === undefined) return
    for (const { id, referrerId } of referees) {
      if (referrerId === null) continue
      const outcomes = this.books.purchaseIds
        .filter((purchaseId) => this.userOf(purchaseId).id === id)
        .map((purchaseId) => this.books.outcomeOf(purchaseId))
      this.rewards.settle({
        refereeId: id,
        referrerId,
        outcomes,
        stage,
        tokenPrice: stagePrice(stage, progressOf(progress, stage).sold),
      })
    }
  }
}

function found<Thing>(thing: Thing | undefined, name: string): Thing {
  if (thing === undefined) throw new Error(`There is no '${name}'.`)
  return thing
}
