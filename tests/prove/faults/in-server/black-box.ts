import { readFileSync } from 'node:fs'

/**
 * Where a server dies: before the statement is sent, when it was sent and nothing has come back, or
 * when it was answered and nobody has seen the answer.
 */
export type DeathPoint = {
  name: string
  moment: 'before' | 'sent' | 'answered'
  /** A pattern of the statement's text. */
  statement: string
  /** A pattern of a statement that its transaction has had before. */
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
  /** The point that it died at by itself. */
  diedAt: string | null
}

export const NOTHING_DONE: BlackBox = { transactions: 0, statements: 0, seen: 0, diedAt: null }

/** Always of the same length, so that the next one covers all of it. */
const BOX_BYTES = 256

export function textOfBox(box: BlackBox): string {
  return JSON.stringify(box).padEnd(BOX_BYTES)
}

export function readBlackBox(path: string): BlackBox {
  return JSON.parse(readFileSync(path, 'utf8')) as BlackBox
}
