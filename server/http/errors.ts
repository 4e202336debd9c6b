import { type ErrorBody, refusals } from '#contract/error-body.ts'
import { Refusal, type RefusalReason } from '#domain/refusal.ts'
import { Unavailable } from '#server/services.ts'

export type ErrorReply = {
  status: number
  headers: Record<string, string>
  body: Omit<ErrorBody, 'request_id'>
  /** True for what nobody meant to happen: it belongs in the log. */
  isFault: boolean
}

/** A "no" of the HTTP layer itself, which has a status of its own under a known reason. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly reason: RefusalReason
  readonly headers: Record<string, string>

  constructor(
    status: number,
    reason: RefusalReason,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.reason = reason
    this.headers = headers
  }
}

/** What the caller is told of anything that was thrown. */
export function toErrorReply(thrown: unknown): ErrorReply {
  if (thrown instanceof Refusal) return refusalReply(thrown)
  if (thrown instanceof HttpRefusal) {
    return reply(thrown.status, thrown.reason, thrown.message, thrown.headers)
  }
  if (thrown instanceof Unavailable) {
    const message = 'Something that this needs does not answer right now. Try again in a minute'
    return { ...reply(503, 'Busy', message, { 'retry-after': '30' }), isFault: true }
  }
  return frameworkReply(thrown) ?? internalError()
}

function refusalReply({ reason, details }: Refusal): ErrorReply {
  const { status, message } = refusals[reason]
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (details.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(details.retryAfterSeconds)
  } else if (reason === 'Busy') {
    headers['retry-after'] = '1'
  }
  const plain = reply(status, reason, details.message ?? message, headers)
  return {
    ...plain,
    body: {
      ...plain.body,
      ...(details.errors && { errors: details.errors.map((error) => ({ ...error })) }),
      ...(details.startsAt && { starts_date: details.startsAt.toISOString() }),
    },
  }
}

const frameworkMessages: Record<number, string> = {
  413: 'The request is too large. 64 KiB are allowed',
  414: 'The address is too long',
  415: 'Send the body as application/json',
}

/** The framework's own refusals of a request, such as a body that is too large. */
function frameworkReply(thrown: unknown): ErrorReply | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return null
  const status = thrown.statusCode
  if (typeof status !== 'number' || status < 400 || status > 499) return null
  const message = frameworkMessages[status] ?? refusals.MalformedBody.message
  return reply(status, status === 404 ? 'NotFound' : 'MalformedBody', message, {})
}

function internalError(): ErrorReply {
  const { status, message } = refusals.InternalError
  return { ...reply(status, 'InternalError', message, {}), isFault: true }
}

function reply(
  status: number,
  reason: RefusalReason,
  message: string,
  headers: Record<string, string>,
): ErrorReply {
  return { status, headers, body: { code: status, message, reason }, isFault: false }
}
