import type { AuditHead } from '#server/database/books/audit-head.ts'
import { findAuditHead, readLogEnd } from '#server/database/books/audit-head.ts'
import { readActionsAfter, type StoredAction } from '#server/database/books/operator-actions.ts'
import type { Services } from '#server/services.ts'
import type { Operator } from '#server/use-cases/access/operator.ts'
import { hashOfAction, isSameHash, sealOfHead } from './audit-chain.ts'
import { recordReading } from './record-action.ts'

export type LogFault = {
  kind: 'changed' | 'left_out' | 'put_in' | 'cut_off' | 'head_changed'
  number: bigint
  /** What is wrong there, in a sentence. */
  message: string
  /** What the row says now; null if it is gone. */
  row: Omit<StoredAction, 'atMicros' | 'hash'> | null
}

export type LogCheck = {
  /** How many rows were found to be unchanged. */
  verified: bigint
  head: AuditHead | null
  fault: LogFault | null
}

const PAGE_LENGTH = 1000

/** The newest row of the audit log, by number and hash. */
export async function getAuditHead({ database }: Services): Promise<AuditHead | null> {
  return await findAuditHead(database)
}

/**
 * Reads the audit log from its beginning and finds the first row that was changed, removed or
 * inserted after it was written, even by somebody with the database's password. It also finds out
 * whether rows were cut off at the end: by the seal of the head or, if an older state of the whole
 * database was put back, by a `knownHash` that somebody kept elsewhere (in hexadecimal). It reads
 * in pages, so its memory does not grow with the log. A good result is recorded, and a fault is
 * logged.
 */
export async function verifyLog(
  services: Services,
  knownHash: string | undefined,
  operator: Operator,
): Promise<LogCheck> {
  const known = knownHash === undefined ? null : Buffer.from(knownHash, 'hex')
  const check = await readChain(services, known)
  if (check.fault === null) {
    const details = { verified: String(check.verified) }
    await recordReading(services, operator, { act: 'verifyLog', details })
  } else {
    // Appending a row to a faulty log would cover up the fault.
    const { kind, message } = check.fault
    services.log.error({ kind, number: String(check.fault.number) }, `The audit log: ${message}`)
  }
  return check
}

async function readChain(services: Services, known: Uint8Array | null): Promise<LogCheck> {
  const { database, settings } = services
  let number = 0n
  let hash: Uint8Array = new Uint8Array(32)
  let isKnownFound = known === null
  for (;;) {
    const rows = await readActionsAfter(database, number, PAGE_LENGTH)
    for (const [index, row] of rows.entries()) {
      const kind = faultOf(settings.secretKey, { number, hash }, row, rows[index + 1])
      if (kind !== null) return await failed(services, number, { kind, row })
      number = row.id
      hash = row.hash
      if (known !== null && isSameHash(hash, known)) isKnownFound = true
    }
    if (rows.length === PAGE_LENGTH) continue
    const { head, lastId } = await readLogEnd(database)
    // More rows were written during this reading, or rows are missing that should be there.
    if (lastId > number && head !== null && head.number >= lastId) {
      if ((await readActionsAfter(database, number, PAGE_LENGTH)).length > 0) continue
      return await failed(services, number, { kind: 'left_out', row: null })
    }
    const fault = faultOfEnd(settings.secretKey, { number, hash }, { head, lastId })
    if (fault !== null) return { verified: number, head, fault }
    if (isKnownFound) return { verified: number, head, fault: null }
    return { verified: number, head, fault: faultAt('cut_off', number + 1n, null, KNOWN_MISSING) }
  }
}

type Link = { number: bigint; hash: Uint8Array }

/** What is wrong with a row that should follow `last`; null if nothing is. */
function faultOf(
  secretKey: Services['settings']['secretKey'],
  last: Link,
  row: StoredAction,
  next: StoredAction | undefined,
): LogFault['kind'] | null {
  const number = last.number + 1n
  if (row.id > number) return 'left_out'
  const follows = (action: StoredAction) =>
    isSameHash(hashOfAction(secretKey, last.hash, { ...action, id: number }), action.hash)
  if (row.id === number && follows(row)) return null
  // The next row is the one that was written here: this one was inserted before it.
  if (row.id < number || (next !== undefined && follows(next))) return 'put_in'
  return 'changed'
}

function faultOfEnd(
  secretKey: Services['settings']['secretKey'],
  last: Link,
  { head, lastId }: { head: AuditHead | null; lastId: bigint },
): LogFault | null {
  const next = last.number + 1n
  if (head === null) {
    return last.number === 0n && lastId === 0n ? null : faultAt('head_changed', last.number, null)
  }
  const isSealed = isSameHash(sealOfHead(secretKey, head), head.seal)
  if (!isSealed) return faultAt('head_changed', head.number, null)
  if (lastId > head.number) return faultAt('put_in', head.number + 1n, null)
  if (head.number > last.number) return faultAt('cut_off', next, null)
  return isSameHash(head.hash, last.hash) ? null : faultAt('head_changed', head.number, null)
}

async function failed(
  { database }: Services,
  verified: bigint,
  { kind: found, row }: { kind: LogFault['kind']; row: StoredAction | null },
): Promise<LogCheck> {
  const head = await findAuditHead(database)
  // Beyond the head there is nothing that the server has written and somebody could have changed.
  const isBeyond = found === 'changed' && row !== null && head !== null && row.id > head.number
  const kind = isBeyond ? 'put_in' : found
  const number = kind === 'left_out' ? verified + 1n : (row?.id ?? verified + 1n)
  return { verified, head, fault: faultAt(kind, number, row) }
}

const KNOWN_MISSING =
  'No row has the hash that you gave: rows at the end of the log were cut off or replaced since ' +
  'that hash was noted, for example by restoring an older database'

const messages: Record<LogFault['kind'], (number: bigint) => string> = {
  changed: (number) => `Row ${number} is not what the server wrote: it was changed or replaced`,
  left_out: (number) => `Row ${number} is missing: it was removed, and rows after it are there`,
  put_in: (number) => `Row ${number} was inserted: the server did not write it there`,
  cut_off: (number) => `The log was cut off: row ${number} and those after it are missing`,
  head_changed: (number) =>
    `The stored head, at row ${number}, is not the one that the server wrote: it was changed, or ` +
    'rows at the end of the log were cut off',
}

function faultAt(
  kind: LogFault['kind'],
  number: bigint,
  stored: StoredAction | null,
  message = messages[kind](number),
): LogFault {
  if (stored === null || kind === 'left_out') return { kind, number, message, row: null }
  const { atMicros: _at, hash: _hash, ...row } = stored
  return { kind, number, message, row }
}
