import { createHmac, timingSafeEqual } from 'node:crypto'

import type { AuditHead } from '#server/database/books/audit-head.ts'
import type { StoredAction } from '#server/database/books/operator-actions.ts'
import type { Secret } from '#server/ports/runtime.ts'

/** What an act's hash covers: its whole row. */
export type ChainedAction = Omit<StoredAction, 'hash'>

/**
 * The hash of an act: HMAC-SHA256 (RFC 2104) of the previous hash and of its own row, so that
 * changing, removing or inserting a row breaks all that follow. The key is derived from the
 * server's secret key, which is not in the database: with the database alone nobody can forge the
 * chain.
 */
export function hashOfAction(
  secretKey: Secret,
  previous: Uint8Array,
  action: ChainedAction,
): Uint8Array {
  return createHmac('sha256', keyFor(secretKey, 'audit chain'))
    .update(previous)
    .update(canonicalText(action))
    .digest()
}

/** Seals the head, so that nobody with the database alone can set it back to an earlier act. */
export function sealOfHead(secretKey: Secret, { number, hash, at }: Omit<AuditHead, 'seal'>) {
  return createHmac('sha256', keyFor(secretKey, 'audit head'))
    .update(JSON.stringify([String(number), at.toISOString()]))
    .update(hash)
    .digest()
}

export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

function keyFor(secretKey: Secret, use: string): Buffer {
  return createHmac('sha256', secretKey.reveal()).update(use).digest()
}

/** One text per row and one row per text: a JSON list of its columns in this order. */
function canonicalText(action: ChainedAction): string {
  const { details } = action
  const keys = Object.keys(details).toSorted()
  return JSON.stringify([
    String(action.id),
    String(action.atMicros),
    action.kind,
    action.operator_id,
    action.operator,
    action.address,
    action.act,
    action.purchase_id,
    action.user_id,
    keys.map((key) => [key, details[key]]),
  ])
}
