import * as z from 'zod/mini'
import { type RefusalReason, refusalReasons } from '#domain/refusal.ts'
import type { Endpoint } from './endpoint.ts'

const conflict = (message: string) => ({ status: 409, message })

export const refusals: Record<RefusalReason, { status: number; message: string }> = {
  InvalidInput: { status: 400, message: 'Some fields are incorrect. Change them and try again' },
  MalformedBody: { status: 400, message: 'The request could not be read. Send one JSON object' },
  MethodNotAllowed: { status: 405, message: 'This address does not take this method' },
  BodyTooLarge: { status: 413, message: 'The request is too large. Send less at once' },
  AddressTooLong: { status: 414, message: 'The address is too long' },
  UnsupportedBody: { status: 415, message: 'Send the body as application/json' },
  NotFound: { status: 404, message: 'Not found' },
  Unauthenticated: { status: 401, message: 'Log in to continue' },
  PermissionMissing: { status: 403, message: 'You do not have permission to do this' },
  WrongCredentials: { status: 401, message: 'Incorrect email or password' },
  WrongPassword: { status: 400, message: 'The current password is incorrect' },
  RefreshTokenInvalid: { status: 401, message: 'Your session has ended. Log in again' },
  TwoFactorRequired: { status: 401, message: 'Two-factor code required' },
  WrongTwoFactorCode: { status: 401, message: 'The code is incorrect or has already been used' },
  WrongCode: { status: 400, message: 'The code is incorrect or has already been used' },
  TwoFactorAlreadyOn: conflict('Two-factor login is already on'),
  TwoFactorNotStarted: conflict('Nothing is waiting to be confirmed. Start two-factor login again'),
  TwoFactorNotOn: conflict('Two-factor login is not on'),
  PasskeyRefused: {
    status: 400,
    message:
      'This passkey could not be added. Open the console at its usual address and start again',
  },
  LastFactor: conflict(
    'This is your last second factor. First add a passkey, or an app if you have none. If you ' +
      'cannot, ask an owner, or whoever runs the server, to reset your second factors',
  ),
  LastOwner: conflict('This is the last owner. Make somebody else an owner first'),
  OwnAccount: conflict('You cannot do this to your own account. Ask another owner'),
  EmailTaken: conflict('Email is already registered'),
  EmailNotVerified: { status: 403, message: 'Email must be verified' },
  EmailAlreadyVerified: conflict('Email is already verified'),
  PasswordChangeRequired: { status: 403, message: 'Password change required' },
  LinkInvalid: {
    status: 400,
    message: 'This link is not valid any more. Ask for a new one',
  },
  TooManyRequests: { status: 429, message: 'Too many requests. Wait a moment and try again' },
  SaleNotStarted: { status: 404, message: 'The token sale has not started yet' },
  SalePaused: { status: 503, message: 'The token sale is paused' },
  SaleEnded: { status: 410, message: 'The token sale has ended' },
  BooksDisagree: conflict(
    'The books of the sale do not agree. Correct them before the sale goes on, or use force',
  ),
  RefundNotOwed: conflict('Nothing is owed back for this receipt'),
  RefundChanged: conflict(
    'A different amount is now owed back for this receipt. List the refunds again',
  ),
  HashUsed: conflict(
    'This transaction is already recorded for another payment. Give the hash of the one that ' +
      'paid this refund',
  ),
  RefundTooSmall: conflict(
    'This is too little to be sent yet. It stays owed, and adds up with what may follow',
  ),
  RefundClaimed: conflict(
    'This is already claimed, and its claim pays it. If it was sent by hand, reject the claim first',
  ),
  ClaimClosed: conflict('This claim has changed in the meantime. Load it again'),
  ClaimChanged: conflict('This is no longer the claim that you saw. Look at it again'),
  ClaimTooEarly: conflict('The buyer can still cancel this claim. Approve it once the day is over'),
  ClaimCancellable: conflict(
    'A refund claim can still be cancelled. Try again once it is cancelled, or later',
  ),
  NothingToBatch: conflict(
    'No approved claim on this chain can be paid. Approve one first, or give the chain as the ' +
      'claims name it, such as eip155:1',
  ),
  BatchClosed: conflict('This batch has changed in the meantime. Load it again'),
  TransferDecided: conflict(
    'Somebody has already decided about this transfer. Load the list again',
  ),
  TransferNotHeld: conflict(
    'The address never held this, or its chain has dropped it, so nothing can be owed for it. ' +
      'Put it away',
  ),
  NotMarked: conflict(
    'No operator has held or failed this purchase, so there is nothing to release',
  ),
  PurchaseChanged: conflict('This purchase has changed in the meantime. Look at it again'),
  SweepRefused: conflict('This cannot be swept now'),
  DistributionRefused: conflict('This cannot be handed out now'),
  DistributionClosed: conflict('This distribution has changed in the meantime. Load it again'),
  NotWithdrawable: conflict('The time to withdraw from this purchase is over'),
  SaleNotClosable: conflict('The sale cannot be closed below its soft cap now'),
  SaleClosed: conflict('The sale was closed below its soft cap, for good. It cannot resume'),
  SaleFrozen: conflict(
    'The books are closed: a snapshot says who owns the tokens. The sale cannot resume',
  ),
  FreezeRefused: conflict('This cannot be done now. Look at what is undecided'),
  SaleFileFaulty: conflict(
    'The sale file cannot be applied. Check it, correct its faults and try again',
  ),
  SaleFileChanged: conflict(
    'Another sale file was applied, or this is not the text that was checked. Check again',
  ),
  WebhookDisabled: conflict('Nothing is sent to a disabled endpoint. Enable it first'),
  ConnectionLimitReached: conflict(
    'There are already as many connections of this kind as allowed. End one first',
  ),
  WalletFrozen: conflict(
    'The list of recipients is closed, with this wallet in it. Write to us to change it',
  ),
  WalletNotFrozen: conflict(
    'The list of recipients is not closed yet. Until then the buyer changes the wallet alone',
  ),
  WalletChangeWaits: conflict(
    'You have already asked for another wallet. Cancel that change first',
  ),
  WalletChanged: conflict('The tokens now go to another wallet. Check it again'),
  WalletTooNew: conflict(
    'The receiving wallet was set recently, so the account cannot be deleted yet. Try again later',
  ),
  WalletIsContract: conflict(
    'There is a contract at this address. Confirm that it is yours and can transfer tokens',
  ),
  WalletMessageInvalid: conflict(
    'This message has been used, has expired, or is for something else. Ask for a new one',
  ),
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
  ApprovalClosed: conflict('This is no longer waiting. Load the list again'),
  ApprovalChanged: conflict(
    'This is no longer what you saw. Look at it again, and approve what you see then',
  ),
  InboxItemGone: conflict('This is no longer waiting: it was dealt with, or has ended'),
  InboxItemTaken: conflict(
    'Somebody else has taken or left this since you looked. Look at it again',
  ),
  PersonNeeded: {
    status: 403,
    message: 'Only a person can do this: sign in to the console',
  },
  NoTokensLeft: conflict('No tokens are left right now'),
  BelowMinimum: { status: 400, message: 'The amount is below the minimum' },
  AboveMaximum: { status: 400, message: 'The amount is above the maximum' },
  UnknownPaymentToken: { status: 400, message: 'This payment token is not accepted' },
  TooManyOpenPurchases: conflict(
    'You have too many unpaid purchases. Pay one or let one expire, then try again',
  ),
  PurchasesLapsed: conflict(
    'You let several purchases end without paying. Wait a while and try again',
  ),
  UserWorthReached: conflict(
    'You have reserved as much as one account may without paying. Pay first, or wait',
  ),
  ConnectionWorthReached: conflict(
    'Your network has reserved as much as it may without paying. Try again later',
  ),
  UnpaidShareReached: conflict(
    'Buyers have reserved as much as they may before paying. Try again in a while',
  ),
  IdempotencyKeyReused: conflict(
    'This Idempotency-Key was used for another purchase. Use a new one',
  ),
  PriceStale: {
    status: 503,
    message:
      'There is no up-to-date price for this token. Try again in a minute or choose another one',
  },
  RailUnavailable: {
    status: 503,
    message: 'Payments in this token are not possible right now. Choose another one or try later',
  },
  Busy: { status: 503, message: 'Too many people are buying at this moment. Try again' },
  Unavailable: {
    status: 503,
    message: 'A service that this needs is not responding. Try again in a minute',
  },
  /** Nothing else has this status, so a proxy can ask another instance. */
  Restarting: {
    status: 502,
    message: 'The server is about to restart. Try again in a few seconds',
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
  'Restarting',
  'InternalError',
] as const satisfies readonly RefusalReason[]

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
