import { formatDecimal } from '#domain/money.ts'
import type { PurchaseFacts } from '#domain/settlement/facts.ts'
import type { PurchaseOutcome } from '#domain/settlement/outcome.ts'
import { settlePurchase } from '#domain/settlement/settle.ts'
import {
  minute,
  priced,
  sameMarket,
  someFacts,
  tokens,
} from '#tests/kit/builders/domain-builders.ts'

/** An outcome in short, without what is empty. */
type Summary = {
  status: string
  reserved?: string
  due?: string
  usd?: string
  eth?: string
  tokens?: Record<string, string>
  refunds?: Record<string, string>
}

export function summaryOf(outcome: PurchaseOutcome): Summary {
  const { status, reason, reserved, due, credited, allocations, refunds } = outcome
  const summary: Summary = { status: reason === null ? status : `${status} (${reason})` }
  if (reserved > 0n) summary.reserved = formatDecimal(reserved, 18)
  if (due > 0n) summary.due = formatDecimal(due, 18)
  if (credited.usd > 0n) summary.usd = formatDecimal(credited.usd, 6)
  if (credited.crypto > 0n) summary.eth = formatDecimal(credited.crypto, 18)
  if (allocations.length > 0) {
    summary.tokens = Object.fromEntries(
      allocations.map(({ stageId, tokens }) => [stageId, formatDecimal(tokens, 18)]),
    )
  }
  if (refunds.length > 0) {
    summary.refunds = Object.fromEntries(
      refunds.map(({ receiptId, amount, why }) => [
        receiptId,
        `${formatDecimal(amount, 18)} ${why}`,
      ]),
    )
  }
  return summary
}

export type PurchaseCase = {
  name: string
  facts: Partial<PurchaseFacts>
  room?: string
  expected: Summary
}

const plenty = '1_000_000'
export const afterExpiry = { chainReadThrough: minute(30) }
export const late = { id: 'late-1', seenAt: minute(40) }
export const seen = { state: 'seen' } as const
export const gone = { state: 'gone' } as const

export const dearerToken = { ...sameMarket, tokenPrice: priced('0.2') }
export const cheaperToken = { ...sameMarket, tokenPrice: priced('0.05') }
export const fallenEth = { ...sameMarket, cryptoPrice: priced('1000') }
export const nextStage = { ...dearerToken, stageId: 'stage-2' }

export const pending = (due: string, reason = '') => ({
  status: `pending${reason}`,
  due,
  reserved: '11000',
})
export const completed = (
  usd: string,
  ethPaid: string,
  stage1: string,
  reason = '',
): Summary & { status: string } => ({
  status: `completed${reason}`,
  usd,
  eth: ethPaid,
  tokens: { 'stage-1': stage1 },
})
export const inFull = completed('1000', '0.5', '11000')

/** Settles a purchase on the example terms, where each stage has `room` tokens left. */
export const settleWith = (facts: Partial<PurchaseFacts>, room = plenty) =>
  settlePurchase(someFacts(facts), () => tokens(room))
