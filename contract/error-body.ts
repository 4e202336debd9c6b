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
  PermissionMissing: { status: 403, message: 'You may not do this' },
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
  PasskeyRefused: {
    status: 400,
    message: 'This passkey could not be added. Start again, at the address of this page',
  },
  LastFactor: {
    status: 409,
    message: 'This is your last second factor. Add another one first',
  },
  LastOwner: {
    status: 409,
    message: 'This is the last owner. Make somebody else an owner first',
  },
  OwnAccount: {
    status: 409,
    message: 'You cannot do this to your own account. Ask another owner',
  },
  EmailTaken: { status: 409, message: 'Email is already registered' },
  EmailNotVerified: { status: 403, message: 'Email must be verified' },
  EmailAlreadyVerified: { status: 409, message: 'Email is already verified' },
  PasswordChangeRequired: { status: 403, message: 'Password change required' },
  LinkInvalid: {
    status: 400,
    message: 'This link is not valid any more. Ask for a new one',
  },
  TooManyRequests: { status: 429, message: 'Too many requests. Wait a moment and try again' },
  SaleNotStarted: { status: 404, message: 'The token sale has not started yet' },
  SalePaused: { status: 503, message: 'The token sale is paused' },
  SaleEnded: { status: 410, message: 'The token sale has ended' },
  BooksDisagree: {
    status: 409,
    message:
      'The books of the sale do not agree. Correct them before the sale goes on, or use force',
  },
  RefundNotOwed: { status: 409, message: 'Nothing is owed back for this receipt' },
  RefundChanged: {
    status: 409,
    message: 'A different amount is now owed back for this receipt. List the refunds again',
  },
  HashUsed: {
    status: 409,
    message:
      'This transaction is already recorded for another payment. Give the hash of the one that ' +
      'paid this refund',
  },
  RefundTooSmall: {
    status: 409,
    message: 'This is too little to be sent yet. It stays owed, and adds up with what may follow',
  },
  RefundClaimed: {
    status: 409,
    message: 'This is already claimed. Approve or reject the claim first, or wait for it',
  },
  ClaimClosed: {
    status: 409,
    message: 'This claim has changed in the meantime. Load it again',
  },
  ClaimChanged: {
    status: 409,
    message: 'This is no longer the claim that you saw. Look at it again',
  },
  ClaimTooEarly: {
    status: 409,
    message: 'The buyer can still cancel this claim. Approve it once the day is over',
  },
  NothingToBatch: {
    status: 409,
    message:
      'No approved claim on this chain can be paid. Approve one first, or give the chain as the ' +
      'claims name it, such as eip155:1',
  },
  BatchClosed: { status: 409, message: 'This batch has changed in the meantime. Load it again' },
  TransferDecided: {
    status: 409,
    message: 'Somebody has already decided about this transfer. Load the list again',
  },
  TransferNotHeld: {
    status: 409,
    message:
      'The address never held this, or its chain has dropped it, so nothing can be owed for it. ' +
      'Put it away',
  },
  NotMarked: {
    status: 409,
    message: 'No operator has held or failed this purchase, so there is nothing to release',
  },
  SweepRefused: { status: 409, message: 'This cannot be swept now' },
  DistributionRefused: { status: 409, message: 'This cannot be handed out now' },
  DistributionClosed: {
    status: 409,
    message: 'This distribution has changed in the meantime. Load it again',
  },
  NotWithdrawable: {
    status: 409,
    message: 'The time to withdraw from this purchase is over',
  },
  SaleNotClosable: {
    status: 409,
    message: 'The sale cannot be closed below its soft cap now',
  },
  SaleClosed: {
    status: 409,
    message: 'The sale was closed below its soft cap, for good. It cannot resume',
  },
  SaleFrozen: {
    status: 409,
    message: 'The books are closed: a snapshot says who owns the tokens. The sale cannot resume',
  },
  FreezeRefused: { status: 409, message: 'This cannot be done now. Look at what is undecided' },
  SaleFileFaulty: {
    status: 409,
    message: 'The sale file cannot be applied. Check it, correct its faults and try again',
  },
  SaleFileChanged: {
    status: 409,
    message: 'Another sale file was applied, or this is not the text that was checked. Check again',
  },
  WebhookDisabled: {
    status: 409,
    message: 'Nothing is sent to a disabled endpoint. Enable it first',
  },
  ConnectionLimitReached: {
    status: 409,
    message: 'There are already as many connections of this kind as allowed. End one first',
  },
  WalletFrozen: {
    status: 409,
    message: 'The list of owners is closed, with this wallet in it. Write to us to change it',
  },
  WalletNotFrozen: {
    status: 409,
    message: 'The list of owners is not closed yet. Until then the buyer changes the wallet alone',
  },
  WalletChangeWaits: {
    status: 409,
    message: 'You have already asked for another wallet. Cancel that change first',
  },
  WalletChanged: {
    status: 409,
    message: 'The tokens now go to another wallet. Look at it again',
  },
  WalletIsContract: {
    status: 409,
    message: 'There is a contract at this address. Confirm that it is yours and can send tokens on',
  },
  WalletMessageInvalid: {
    status: 409,
    message: 'This message has been used, has expired, or is for something else. Ask for a new one',
  },
  SignatureWrong: {
    status: 400,
    message:
      'This wallet did not sign this message. Choose its account in the wallet and sign ' +
      'again. A contract wallet must be on the chain where the tokens are delivered',
  },
  SignatureUnchecked: {
    status: 503,
    message:
      'This signature is not from a plain key, and could not be checked now. Try again ' +
      'later, or enter the address by hand',
  },
  OwnApproval: {
    status: 403,
    message: 'Somebody other than the person who asked for it has to decide',
  },
  ApprovalClosed: { status: 409, message: 'This is no longer waiting. Load the list again' },
  ApprovalChanged: {
    status: 409,
    message: 'This is no longer what you saw. Look at it again, and approve what you see then',
  },
  InboxItemGone: {
    status: 409,
    message: 'This is no longer waiting: it was dealt with, or has ended',
  },
  PersonNeeded: {
    status: 403,
    message: 'Only a person can take this: sign in to the console',
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
    message: 'Your network has reserved as much as it may without paying. Try again later',
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
    message: 'Something that this needs is not answering. Try again in a minute',
  },
  InternalError: { status: 500, message: 'Internal server error' },
}

/** The refusals that any call may get, besides those it declares. */
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
export function reasonsOf({
  access,
  whilePasswordIsDue,
  errors = [],
}: Endpoint): Set<RefusalReason> {
  const reasons = new Set<RefusalReason>([...universalReasons, ...errors])
  if (access === 'user' || access === 'operator') reasons.add('Unauthenticated')
  if (access === 'operator') reasons.add('PermissionMissing')
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
  /** The wrong fields; `code` is a stable name of what is wrong, if there is one. */
  errors: z.optional(
    z.array(z.object({ path: z.string(), message: z.string(), code: z.optional(z.string()) })),
  ),
  /** When the sale or its next stage starts, if that is the reason. */
  starts_date: z.optional(z.iso.datetime()),
  /** True if what starts then is not the first stage. */
  is_between_stages: z.optional(z.boolean()),
})
export type ErrorBody = z.output<typeof ErrorBody>
