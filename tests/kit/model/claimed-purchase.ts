import { cryptoAmount, tokenAmount } from '#domain/money.ts'
import type { PurchaseFacts } from '#domain/settlement/facts.ts'
import {
  claimPaidTransfers,
  type LedgerTransfer,
  promiseTransfers,
  releaseTransfers,
  settlementTransfers,
} from '#domain/settlement/ledger.ts'
import type { PurchaseOutcome, RefundDue } from '#domain/settlement/outcome.ts'
import { settlePurchase } from '#domain/settlement/settle.ts'
import { tokens } from '#tests/kit/builders/domain-builders.ts'
import { balancesOf } from './balances-of.ts'

/** What the stages have for late or excess money. */
const SUPPLY = tokens('100')

/** One purchase whose refunds are claimed, as the server keeps it: facts, ledger and promises. */
export class ClaimedPurchase {
  facts: PurchaseFacts
  outcome: PurchaseOutcome
  promised = new Map<string, RefundDue>()
  paid = new Map<string, bigint>()
  fees = 0n
  transfers: LedgerTransfer[] = []

  constructor(facts: PurchaseFacts) {
    this.facts = facts
    this.outcome = settlePurchase({ ...facts, receipts: [] }, () => SUPPLY)
    this.settle()
  }

  paidBackOf(id: string): bigint {
    return (this.paid.get(id) ?? 0n) + (this.promised.get(id)?.amount ?? 0n)
  }

  bookedOf(id: string): bigint {
    return this.outcome.booked.find(({ receiptId }) => receiptId === id)?.amount ?? 0n
  }

  settle(): void {
    const receipts = this.facts.receipts.map((receipt) => ({
      ...receipt,
      paidBack: cryptoAmount(this.paidBackOf(receipt.id)),
    }))
    const { grants, reservationLeft } = this.outcome
    const facts = { ...this.facts, receipts, grants, reservationLeft }
    const given = this.outcome.allocations.reduce((total, part) => total + part.tokens, 0n)
    const after = settlePurchase(facts, () => tokenAmount(SUPPLY - given))
    this.transfers.push(
      ...settlementTransfers({
        userId: 'ada',
        stageId: facts.terms.stageId,
        before: this.outcome,
        after,
        assetOf: () => 'eth',
        paidBackOf: (id) => this.paidBackOf(id),
      }),
    )
    this.outcome = after
  }

  promise(id: string): boolean {
    const owed = this.outcome.refunds.find(({ receiptId }) => receiptId === id)
    const isCovered = owed !== undefined && this.bookedOf(id) >= this.paidBackOf(id) + owed.amount
    if (!isCovered || this.promised.has(id)) return false
    this.promised.set(id, owed)
    this.#list(this.outcome.refunds.filter((each) => each !== owed))
    this.transfers.push(...promiseTransfers('eth', owed.amount))
    return true
  }

  release(id: string): boolean {
    const promised = this.promised.get(id)
    if (promised === undefined) return false
    const [before, booked] = [this.paidBackOf(id), this.bookedOf(id)]
    this.promised.delete(id)
    const lost = beyond(before, booked) - beyond(this.paidBackOf(id), booked)
    this.transfers.push(...releaseTransfers('eth', promised.amount, lost))
    const others = this.outcome.refunds.filter(({ receiptId }) => receiptId !== id)
    const rest = this.outcome.refunds.find(({ receiptId }) => receiptId === id)?.amount ?? 0n
    this.#list([...others, { ...promised, amount: cryptoAmount(promised.amount + rest) }])
    return true
  }

  pay(id: string): boolean {
    const promised = this.promised.get(id)
    if (promised === undefined) return false
    this.promised.delete(id)
    this.paid.set(id, (this.paid.get(id) ?? 0n) + promised.amount)
    const fee = cryptoAmount(promised.amount / 10n)
    this.fees += fee
    this.transfers.push(...claimPaidTransfers('eth', promised.amount, fee))
    return true
  }

  /** Listed refunds are a separate table, which claims change between settlements. */
  #list(refunds: readonly RefundDue[]): void {
    this.outcome = { ...this.outcome, refunds }
  }

  /** The balances of the ledger, and what they should be. */
  books() {
    const balances = balancesOf(this.transfers)
    const at = (account: string) => balances.get(`${account}:eth`)?.get('eth') ?? 0n
    const booked = sum(this.outcome.booked)
    const owed = sum(this.outcome.refunds)
    const promised = sum([...this.promised.values()])
    const paid = [...this.paid.values()].reduce((total, amount) => total + amount, 0n)
    const lost = this.facts.receipts.reduce(
      (total, { id }) => total + beyond(this.paidBackOf(id), this.bookedOf(id)),
      0n,
    )
    const balance = {
      chain: at('chain'),
      refunds: at('refunds'),
      promised: at('promised'),
      paidOut: at('paid_out'),
      fees: at('refund_fees'),
      uncovered: at('uncovered'),
      received: at('received'),
    }
    const expected = {
      chain: -booked,
      refunds: owed,
      promised,
      paidOut: paid - this.fees,
      fees: this.fees,
      uncovered: -lost,
      received: booked - owed - promised - paid + lost,
    }
    return { balance, expected }
  }

  /** What was spent twice after a settlement: owed, promised, paid and credited money. */
  spentTwice(): string[] {
    const { refunds, credited, booked } = this.outcome
    const faults = this.facts.receipts.flatMap(({ id }) => {
      const owed = refunds.find(({ receiptId }) => receiptId === id)?.amount ?? 0n
      return owed > 0n && this.paidBackOf(id) + owed > this.bookedOf(id) ? [id] : []
    })
    const covered = this.facts.receipts.reduce((total, { id }) => {
      const [back, came] = [this.paidBackOf(id), this.bookedOf(id)]
      return total + (back < came ? back : came)
    }, 0n)
    const isBeyond = credited.crypto + sum(refunds) + covered > sum(booked)
    return [...faults, ...(isBeyond ? ['all of it'] : [])]
  }
}

const beyond = (amount: bigint, limit: bigint) => (amount > limit ? amount - limit : 0n)
const sum = (parts: readonly { amount: bigint }[]) =>
  parts.reduce((total, { amount }) => total + amount, 0n)
