import type { ErrorBody } from '#contract/error-body.ts'

type Reason = ErrorBody['reason']

/** What a reply without a readable body of the server counts as; specification section 8. */
const FALLBACK = { code: 500, message: 'Internal server error', reason: 'InternalError' } as const

export interface CallFault {
  /** The HTTP status. */
  code: number
  /** One sentence for a person; null where the reply has none. */
  message: string | null
  /** A stable name to branch on. */
  reason: Reason
  errors?: ErrorBody['errors']
  starts_date?: string | undefined
  is_between_stages?: boolean | undefined
  /** Seconds to wait before it is worth trying again. */
  retryAfterSeconds?: number | undefined
}

/**
 * A call that did not succeed, as the server said it or, without its word, as an internal error.
 */
export class CallError extends Error {
  override name = 'CallError'
  code: number
  reason: Reason
  /** What is wrong with single fields; empty unless the input was refused. */
  errors: { path: string; message: string }[]
  /** When the sale starts, where that is why the call was refused. */
  startsDate: string | null
  /** Whether what starts then is not the first stage. */
  isBetweenStages: boolean
  /** Seconds to wait before trying again, where the server said so. */
  retryAfterSeconds: number | null
  /** False where no answer of the server could be read. */
  isFromServer: boolean
  /** False where there was an answer that does not say what is wrong. */
  hasMessage: boolean

  constructor(fault: CallFault | null, cause?: unknown) {
    const known: CallFault = fault ?? FALLBACK
    super(known.message ?? FALLBACK.message, { cause })
    this.code = known.code
    this.reason = known.reason
    this.errors = fault?.errors ?? []
    this.startsDate = fault?.starts_date ?? null
    this.isBetweenStages = fault?.is_between_stages ?? false
    this.retryAfterSeconds = fault?.retryAfterSeconds ?? null
    this.isFromServer = fault !== null
    this.hasMessage = known.message !== null
  }
}

/**
 * What a call is rejected with whose answer nobody waits for any more, above all where a newer
 * question has superseded it (specification section 8). Nothing has failed, and nobody is shown it.
 */
export class CompletedTooLate extends Error {
  override name = 'CompletedTooLate'

  constructor(cause: unknown) {
    super('Completed too late', { cause })
  }
}

/**
 * What to show for a failure: the server's own message; the fallback where a reply has none, and
 * for anything that did not come from a call. Specification section 8.
 */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof CallError && error.hasMessage ? error.message : fallback
}

/** True where a call was refused for the given reason. */
export function isRefusal(error: unknown, reason: Reason): error is CallError {
  return error instanceof CallError && error.reason === reason
}
