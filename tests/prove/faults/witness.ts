import { createHash } from 'node:crypto'

import type { Transaction } from '#contract/shapes.ts'
import type { SeededUser } from '#tests/kit/builders/many-users.ts'

/** A purchase that was asked for. */
export type Asked = {
  key: string
  user: SeededUser
  /** Of the user, for the address that they call from. */
  index: number
  /** What was happening when it was requested, for investigating a loss. */
  during: string
}

/** One that was answered. `paid` is what its payer knows: an answer may have been lost. */
export type Made = Asked & {
  purchase: Pick<Transaction, 'id' | 'payment_address' | 'payment_amount' | 'created_date'>
  paid: 'no' | 'maybe' | 'yes'
}

/**
 * What buyers and payers have seen themselves, kept outside of the database: a database that has
 * lost something agrees with itself.
 */
export type Witness = {
  /** Purchases that were asked for and not answered, by key. */
  unanswered: Map<string, Asked>
  made: Map<string, Made>
  /** Webhooks by their body, and whether they were answered. */
  webhooks: Map<string, { signature: string; isAnswered: boolean }>
  /** Unknown outcomes that were asked for again, and how many of them had been made. */
  asked: number
  wereMade: number
  /** Replies of "not now", with a time to try again. */
  refused: number
  /** Connections that ended before the answer came. */
  lost: { askedAt: number; at: number; fault: string }[]
  /** What a caller must never see. */
  wrong: string[]
}

export function createWitness(): Witness {
  return {
    unanswered: new Map(),
    made: new Map(),
    webhooks: new Map(),
    asked: 0,
    wereMade: 0,
    refused: 0,
    lost: [],
    wrong: [],
  }
}

/** As an event of NOWPayments is known, which has no id of its own. */
export const eventIdOf = (signature: string) =>
  createHash('sha256').update(signature.toLowerCase()).digest('hex')
