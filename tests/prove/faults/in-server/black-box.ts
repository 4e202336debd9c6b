import { readFileSync } from 'node:fs'

/**
 * Where a server dies: before the statement is sent; after it was sent, with no reply yet; or after
 * the reply, before anybody has seen it.
 */
export type DeathPoint = {
  name: string
  moment: 'before' | 'sent' | 'answered'
  /** A pattern of the statement's text. */
  statement: string
  /** A pattern of an earlier statement in the same transaction. */
  within?: string
  /** Which one of all that fit, from 1. */
  nth: number
}

/** What a server was doing in its database when it died. */
export type BlackBox = {
  /** Open transactions, and statements without an answer. */
  transactions: number
  statements: number
  /** All statements so far. */
  seen: number
  /** The point at which it killed itself. */
  diedAt: string | null
}

export const NOTHING_DONE: BlackBox = { transactions: 0, statements: 0, seen: 0, diedAt: null }

/** Always of the same length, so that the next one overwrites all of it. */
const BOX_BYTES = 256

export function textOfBox(box: BlackBox): string {
  return JSON.stringify(box).padEnd(BOX_BYTES)
}

export function readBlackBox(path: string): BlackBox {
  return JSON.parse(readFileSync(path, 'utf8')) as BlackBox
}
