import { createHmac, timingSafeEqual } from 'node:crypto'

import type { AuditHead } from '#server/database/books/audit-head.ts'
import type { StoredAction } from '#server/database/books/operator-actions.ts'
import type { Secret } from '#server/ports/runtime.ts'

/** What the hash of an act covers: all of its row. */
export type ChainedAction = Omit<StoredAction, 'hash'>

/**
 * The hash of an act: HMAC-SHA256 (RFC 2104) of the hash before it and of its row, so that
 * changing, leaving out or putting in a row breaks all that follow. The key is derived from the
 * server's secret key, which is not in the database: who has the database alone can make no valid
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

/** Proves a head, so that who has the database alone cannot set it back to an act before. */
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

/** One text for each row and one row for each text: a JSON list of its columns in this order. */
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
