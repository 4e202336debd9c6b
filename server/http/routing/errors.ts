import { instantToWire } from '#contract/codec.ts'
import { type ErrorBody, refusals } from '#contract/error-body.ts'
import { Refusal, type RefusalReason } from '#domain/refusal.ts'
import { Unavailable } from '#domain/unavailable.ts'
import { isDatabaseAway } from './database-faults.ts'

export type ErrorReply = {
  status: number
  headers: Record<string, string>
  body: Omit<ErrorBody, 'request_id'>
  /** True for unexpected errors, which belong in the log. */
  isFault: boolean
}

export function toErrorReply(thrown: unknown): ErrorReply {
  if (thrown instanceof Refusal) return refusalReply(thrown)
  if (thrown instanceof Unavailable || isDatabaseAway(thrown)) {
    return { ...plainReply('Unavailable', { 'retry-after': '30' }), isFault: true }
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
  const plain = plainReply(reason, headers)
  return {
    ...plain,
    body: {
      ...plain.body,
      message: details.message ?? message,
      ...(details.errors && { errors: details.errors.map((error) => ({ ...error })) }),
      ...(details.startsAt && { starts_date: instantToWire(details.startsAt) }),
      ...(details.isBetweenStages !== undefined && {
        is_between_stages: details.isBetweenStages,
      }),
    },
  }
}

const frameworkReasons: Record<number, RefusalReason> = {
  404: 'NotFound',
  413: 'BodyTooLarge',
  414: 'AddressTooLong',
  415: 'UnsupportedBody',
}

/** The framework's own refusals of a request, such as a body that is too large. */
function frameworkReply(thrown: unknown): ErrorReply | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return null
  const status = thrown.statusCode
  if (typeof status !== 'number' || status < 400 || status > 499) return null
  return plainReply(frameworkReasons[status] ?? 'MalformedBody')
}

function internalError(): ErrorReply {
  return { ...plainReply('InternalError'), isFault: true }
}

function plainReply(reason: RefusalReason, headers: Record<string, string> = {}): ErrorReply {
  const { status, message } = refusals[reason]
  return { status, headers, body: { code: status, message, reason }, isFault: false }
}
