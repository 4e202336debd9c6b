import { isDeepStrictEqual } from 'node:util'
import { bonusTokens, sumBonuses, withoutFirstPurchase } from '#domain/bonus.ts'
import {
  availableAccount,
  balancesOf,
  chainAccount,
  type LedgerTransfer,
  openingTransfers,
  receivedAccount,
  refundsAccount,
  reservationTransfers,
  reservedAccount,
  settlementTransfers,
  TOKEN_ASSET,
  userAccount,
} from '#domain/ledger.ts'
import { add, subtract, type TokenAmount, tokenAmount } from '#domain/money.ts'
import {
  derivePurchase,
  type PurchaseFacts,
  type PurchaseOutcome,
  type ReceiptFact,
  settlePurchase,
} from '#domain/purchase.ts'
import type { PurchaseTerms } from '#domain/sale.ts'

/** What a chain said of a receipt: the highest revision is how it is. */
export type Sighting = {
  receipt: Omit<ReceiptFact, 'state' | 'confirmations' | 'wasConfirmed'>
  revision: number
  state: ReceiptFact['state']
}

export type Recording =
  | { kind: 'sighting'; sighting: Sighting }
  | { kind: 'watermark'; at: Date }
  | { kind: 'mark'; mark: PurchaseFacts['marks'][number] }
  | { kind: 'gateway failed' }
  /** Somebody else buys what a stage has, as far as it has it. */
  | { kind: 'rival'; stageId: string; tokens: TokenAmount }

type Counter = { supply: TokenAmount; reserved: TokenAmount; sold: TokenAmount }

const FOREIGN_ASSET = 'foreign'
const NONE = tokenAmount(0n)
const isOpen = ({ status }: PurchaseOutcome) => status === 'pending' || status === 'processing'

/**
 * One purchase as a database would keep it: facts are recorded once each, settling derives the
 * outcome and moves ledger and counters, and after each settling every invariant is checked.
 */
export class PurchaseBook {
  readonly #terms: PurchaseTerms
  readonly #sightings = new Map<string, Sighting[]>()
  readonly #marks = new Map<string, PurchaseFacts['marks'][number]>()
  readonly #counters: Map<string, Counter>
  readonly #transfers: LedgerTransfer[]
  readonly #taken = new Map<string, TokenAmount>()
  #facts: PurchaseFacts
  #outcome: PurchaseOutcome

  constructor(facts: PurchaseFacts, supplies: ReadonlyMap<string, TokenAmount>) {
    const { terms } = facts
    this.#terms = terms
    this.#facts = facts
    this.#counters = new Map(
      [...supplies].map(([id, supply]) => [id, { supply, reserved: NONE, sold: NONE }]),
    )
    this.#counter(terms.stageId).reserved = terms.reserved
    this.#transfers = [
      ...[...supplies].flatMap(([id, supply]) => openingTransfers({ id, supply })),
      ...reservationTransfers(terms.stageId, terms.reserved),
    ]
    this.#outcome = derivePurchase(facts)
  }

  get outcome(): PurchaseOutcome {
    return this.#outcome
  }

  get transferCount(): number {
    return this.#transfers.length
  }

  get facts(): PurchaseFacts {
    return this.#facts
  }

  record(recording: Recording): void {
    if (recording.kind === 'sighting') {
      const { receipt, revision } = recording.sighting
      const known = this.#sightings.get(receipt.id) ?? []
      if (known.some((sighting) => sighting.revision === revision)) return
      this.#sightings.set(receipt.id, [...known, recording.sighting])
      this.#facts = { ...this.#facts, receipts: [...this.#sightings.values()].map(toReceipt) }
    } else if (recording.kind === 'watermark') {
      const { chainReadThrough } = this.#facts
      const isNews = chainReadThrough === null || chainReadThrough < recording.at
      if (isNews) this.#facts = { ...this.#facts, chainReadThrough: recording.at }
    } else if (recording.kind === 'mark') {
      this.#marks.set(`${recording.mark.at.getTime()} ${recording.mark.kind}`, recording.mark)
      this.#facts = { ...this.#facts, marks: [...this.#marks.values()] }
    } else if (recording.kind === 'gateway failed') {
      this.#facts = { ...this.#facts, hasGatewayFailed: true }
    } else {
      this.#buyAsRival(recording.stageId, recording.tokens)
    }
  }

  /** Derives the outcome, moves ledger and counters, and checks every invariant. */
  settle(): void {
    const before = this.#outcome
    const after = settlePurchase(this.#facts, (stageId) => this.#room(stageId))
    this.#transfers.push(
      ...settlementTransfers({
        userId: 'buyer',
        stageId: this.#terms.stageId,
        before,
        after,
        assetOf: (receiptId) => this.#assetOf(receiptId),
      }),
    )
    for (const [id, counter] of this.#counters) {
      counter.sold = add(counter.sold, subtract(allocated(after, id), allocated(before, id)))
    }
    const own = this.#counter(this.#terms.stageId)
    own.reserved = add(own.reserved, subtract(after.reserved, before.reserved))
    this.#outcome = after
    const { grants, reservationLeft } = after
    this.#facts = { ...this.#facts, grants, reservationLeft }
    this.#checkOutcome()
    this.#checkBooks()
  }

  #checkOutcome(): void {
    const { terms } = this.#facts
    const { status, credited, allocations, refunds, reserved, grants } = this.#outcome
    const allocatedTokens = add(NONE, ...allocations.map(({ tokens }) => tokens))
    const heldTokens = add(this.#outcome.reservationLeft, ...grants.map(({ tokens }) => tokens))
    const confirmed = this.#facts.receipts.filter(({ state }) => state === 'confirmed')
    const paid = sumOf(confirmed.filter(({ isRightAsset }) => isRightAsset))
    const refundOf = (id: string) => sumOf(refunds.filter(({ receiptId }) => receiptId === id))
    const refundedRight = sumOf(
      confirmed.filter((r) => r.isRightAsset).map(({ id }) => ({ amount: refundOf(id) })),
    )
    const locked = this.#facts.isFirstPurchaseBonusLost
      ? withoutFirstPurchase(terms.lockedBonuses)
      : terms.lockedBonuses

    check(this.#outcome.grantsWanted.length === 0, 'no grant is left open')
    check(
      allocatedTokens === add(credited.base, sumBonuses(credited.bonuses)),
      'allocations are base and bonuses',
    )
    check(
      isDeepStrictEqual(credited.bonuses, bonusTokens(locked, credited.usd, credited.base)),
      'bonuses are those of what was really paid',
    )
    check(heldTokens === reserved + allocatedTokens, 'what is held is reserved or allocated')
    check(allocatedTokens > 0n === (status === 'completed'), 'tokens come with completion')
    check(
      isOpen(this.#outcome) ? refundedRight === 0n : credited.crypto + refundedRight === paid,
      'all money is credited or owed back, once it is decided',
    )
    const readThrough = this.#facts.chainReadThrough
    check(
      status !== 'expired' || (readThrough !== null && readThrough >= terms.expiresAt),
      'nothing expires before the chain was read past it',
    )
    for (const { id, isRightAsset, amount } of confirmed) {
      const refund = refundOf(id)
      check(refund <= amount && (isRightAsset || refund === amount), 'refunds fit their receipts')
    }
    check(
      terms.maxUsd === null || credited.usd <= terms.maxUsd,
      'no more is credited than the maximum',
    )
    // Nobody gets tokens for less than the locked price, but for the tolerated 0.5 %.
    const worthOfBase = credited.base * terms.tokenPrice * 10n ** BigInt(terms.cryptoDecimals)
    const worthOfMoney = credited.crypto * terms.cryptoPrice * 10n ** BigInt(terms.tokenDecimals)
    check(worthOfBase * 995n <= worthOfMoney * 1000n, 'no token is cheaper than it was locked')
  }

  #checkBooks(): void {
    const balances = balancesOf(this.#transfers)
    const balance = (account: string, asset: string) => balances.get(account)?.get(asset) ?? 0n
    for (const [id, { supply, reserved, sold }] of this.#counters) {
      const taken = this.#taken.get(id) ?? NONE
      check(reserved >= 0n && reserved + sold + taken <= supply, 'no stage is oversold')
      check(balance(reservedAccount(id), TOKEN_ASSET) === reserved, 'the ledger has the reserved')
      check(
        balance(availableAccount(id), TOKEN_ASSET) === supply - reserved - sold,
        'the ledger has the available',
      )
      check(allocated(this.#outcome, id) === sold, 'what is sold is allocated')
    }
    const { allocations, booked, refunds } = this.#outcome
    check(
      balance(userAccount('buyer'), TOKEN_ASSET) ===
        add(NONE, ...allocations.map(({ tokens }) => tokens)),
      'the ledger has the tokens of the buyer',
    )
    for (const asset of [this.#terms.paymentTokenId, FOREIGN_ASSET]) {
      const isOfAsset = ({ receiptId }: { receiptId: string }) => this.#assetOf(receiptId) === asset
      const here = sumOf(booked.filter(isOfAsset))
      const owed = sumOf(refunds.filter(isOfAsset))
      check(balance(chainAccount(asset), asset) === -here, 'the ledger has what came')
      check(balance(receivedAccount(asset), asset) === here - owed, 'the ledger has what is kept')
      check(balance(refundsAccount(asset), asset) === owed, 'the ledger has what is owed')
    }
  }

  #buyAsRival(stageId: string, tokens: TokenAmount): void {
    const room = this.#room(stageId)
    const taken = this.#taken.get(stageId) ?? NONE
    this.#taken.set(stageId, add(taken, tokens < room ? tokens : room))
  }

  #room(stageId: string): TokenAmount {
    const { supply, reserved, sold } = this.#counter(stageId)
    return subtract(supply, add(reserved, sold, this.#taken.get(stageId) ?? NONE))
  }

  #counter(stageId: string): Counter {
    const counter = this.#counters.get(stageId)
    if (counter === undefined) throw new Error(`There is no stage '${stageId}'.`)
    return counter
  }

  #assetOf(receiptId: string): string {
    const receipt = this.#facts.receipts.find(({ id }) => id === receiptId)
    return receipt?.isRightAsset === false ? FOREIGN_ASSET : this.#terms.paymentTokenId
  }
}

function toReceipt(sightings: readonly Sighting[]): ReceiptFact {
  const newest = sightings.reduce((one, other) => (one.revision > other.revision ? one : other))
  return {
    ...newest.receipt,
    state: newest.state,
    confirmations: newest.state === 'confirmed' ? newest.revision : 0,
    wasConfirmed: sightings.some(({ state }) => state === 'confirmed'),
  }
}

function allocated({ allocations }: PurchaseOutcome, stageId: string): TokenAmount {
  const found = allocations.filter((allocation) => allocation.stageId === stageId)
  return add(NONE, ...found.map(({ tokens }) => tokens))
}

function sumOf(entries: readonly { amount: bigint }[]): bigint {
  return entries.reduce((sum, { amount }) => sum + amount, 0n)
}

/** As `expect`, which is too slow to be asked millions of times. */
function check(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`It has to be so that ${what}.`)
}
