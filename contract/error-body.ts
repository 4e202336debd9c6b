import * as z from 'zod/mini'
import { type RefusalReason, refusalReasons } from '#domain/refusal.ts'
import type { Endpoint } from './endpoint.ts'

/** The status and the message of each reason. */
export const refusals: Record<RefusalReason, { status: number; message: string }> = {
  InvalidInput: { status: 400, message: 'Some fields are not right. Correct them and try again' },
  MalformedBody: { status: 400, message: 'The request could not be read. Send one JSON object' },
  MethodNotAllowed: { status: 405, message: 'This address does not take this method' },
  BodyTooLarge: { status: 413, message: 'The request is too large. Send less at once' },
  AddressTooLong: { status: 414, message: 'The address is too long' },
  UnsupportedBody: { status: 415, message: 'Send the body as application/json' },
  NotFound: { status: 404, message: 'Not found' },
  Unauthenticated: { status: 401, message: 'Log in to continue' },
  WrongCredentials: { status: 401, message: 'Incorrect email or password' },
  WrongPassword: { status: 400, message: 'The current password is not right' },
  RefreshTokenInvalid: { status: 401, message: 'Your session has ended. Log in again' },
  TwoFactorRequired: { status: 401, message: 'Two-factor code required' },
  WrongTwoFactorCode: { status: 401, message: 'The code is not right or has been used' },
  WrongCode: { status: 400, message: 'The code is not right or has been used' },
  TwoFactorAlreadyOn: { status: 409, message: 'Two-factor login is already on' },
  TwoFactorNotStarted: {
    status: 409,
    message: 'Nothing is waiting to be confirmed. Start two-factor login again',
  },
  TwoFactorNotOn: { status: 409, message: 'Two-factor login is not on' },
  EmailTaken: { status: 409, message: 'Email is already registered' },
  EmailNotVerified: { status: 403, message: 'Email must be verified' },
  EmailAlreadyVerified: { status: 409, message: 'Email is already verified' },
  PasswordChangeRequired: { status: 403, message: 'Password change required' },
  LinkInvalid: {
    status: 400,
    message: 'This link is not valid any more. Ask for a new one',
  },
  TooManyRequests: { status: 429, message: 'Too many requests. Wait a little and try again' },
  SaleNotStarted: { status: 404, message: 'The token sale has not started yet' },
  SalePaused: { status: 503, message: 'The token sale is paused' },
  SaleEnded: { status: 410, message: 'The token sale has ended' },
  BooksDisagree: {
    status: 409,
    message: 'The books of the sale do not agree. Mend them before it goes on, or use force',
  },
  RefundNotOwed: { status: 409, message: 'Nothing is owed back for this receipt' },
  RefundChanged: {
    status: 409,
    message: 'Another amount is owed back for this receipt by now. List the refunds again',
  },
  HashUsed: {
    status: 409,
    message: 'This transaction hash stands for another payment. Give the one that paid this refund',
  },
  NotMarked: {
    status: 409,
    message: 'No operator has held or failed this purchase, so there is nothing to release',
  },
  NoTokensLeft: { status: 409, message: 'No tokens are left right now' },
  BelowMinimum: { status: 400, message: 'The amount is below the minimum' },
  AboveMaximum: { status: 400, message: 'The amount is above the maximum' },
  UnknownPaymentToken: { status: 400, message: 'This payment token is not accepted' },
  TooManyOpenPurchases: {
    status: 409,
    message: 'You have too many unpaid purchases. Pay one or let one expire, then try again',
  },
  PurchasesLapsed: {
    status: 409,
    message: 'You let several purchases expire without paying. Wait a while and try again',
  },
  UserWorthReached: {
    status: 409,
    message: 'You have reserved as much as one account may without paying. Pay first, or wait',
  },
  ConnectionWorthReached: {
    status: 409,
    message: 'As much is reserved from your network as may be without paying. Try again later',
  },
  UnpaidShareReached: {
    status: 409,
    message: 'What is left is reserved for purchases that are being paid. Try again in a while',
  },
  IdempotencyKeyReused: {
    status: 409,
    message: 'This Idempotency-Key was used for another purchase. Use a new one',
  },
  PriceStale: {
    status: 503,
    message: 'There is no fresh price for this token. Try again in a minute or choose another one',
  },
  RailUnavailable: {
    status: 503,
    message: 'Payments in this token are not possible right now. Choose another one or try later',
  },
  Busy: { status: 503, message: 'Too many people are buying at this moment. Try again' },
  Unavailable: {
    status: 503,
    message: 'Something that this needs does not answer right now. Try again in a minute',
  },
  InternalError: { status: 500, message: 'Internal server error' },
}

/** The refusals that any call may get, beside those that it declares. */
const universalReasons = [
  'InvalidInput',
  'MalformedBody',
  'MethodNotAllowed',
  'BodyTooLarge',
  'AddressTooLong',
  'UnsupportedBody',
  'NotFound',
  'TooManyRequests',
  'Unavailable',
  'InternalError',
] as const satisfies readonly RefusalReason[]

/** Every reason for which a call can be refused. */
export function reasonsOf({ access, whilePasswordIsDue, errors }: Endpoint): Set<RefusalReason> {
  const reasons = new Set<RefusalReason>([...universalReasons, ...errors])
  if (access === 'user' || access === 'operator') reasons.add('Unauthenticated')
  if (access === 'user' && !whilePasswordIsDue) reasons.add('PasswordChangeRequired')
  return reasons
}

export const ErrorBody = z.object({
  /** The HTTP status. */
  code: z.int(),
  /** One sentence for a person. */
  message: z.string(),
  /** A stable name for programs. */
  reason: z.enum(refusalReasons),
  request_id: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** When the sale or its next stage starts, if that is the reason. */
  starts_date: z.optional(z.iso.datetime()),
  /** Whether what starts then is not the first stage. */
  is_between_stages: z.optional(z.boolean()),
})
export type ErrorBody = z.output<typeof ErrorBody>
