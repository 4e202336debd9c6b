/** Classes of SQLSTATE: connection, resources, operator intervention. */
const BUSY_CLASSES = ['08', '53', '57']

/**
 * Serialization failure, deadlock, lock not available; a transaction that was idle or took too
 * long.
 */
const BUSY_STATES = ['40001', '40P01', '55P03', '25P03', '25P04']

const NETWORK_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/** Messages of the PostgreSQL client that carry no code. */
const CLIENT_SENTENCES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
]

/**
 * Whether the database was busy or unreachable, rather than the statement wrong, so that a retry
 * may work.
 */
export function isDatabaseAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return (
    NETWORK_CODES.includes(code) ||
    BUSY_STATES.includes(code) ||
    (code.length === 5 && BUSY_CLASSES.includes(code.slice(0, 2))) ||
    CLIENT_SENTENCES.some((sentence) => thrown.message.startsWith(sentence))
  )
}
