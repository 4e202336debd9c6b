/** Every deliberate refusal. The contract gives each its status and sentence. */
export const refusalReasons = [
  'InvalidInput',
  'MalformedBody',
  'MethodNotAllowed',
  'BodyTooLarge',
  'AddressTooLong',
  'UnsupportedBody',
  'NotFound',
  'Unauthenticated',
  'PermissionMissing',
  'WrongCredentials',
  'WrongPassword',
  'RefreshTokenInvalid',
  'TwoFactorRequired',
  'WrongTwoFactorCode',
  'WrongCode',
  'TwoFactorAlreadyOn',
  'TwoFactorNotStarted',
  'TwoFactorNotOn',
  'PasskeyRefused',
  'LastFactor',
  'LastOwner',
  'OwnAccount',
  'EmailTaken',
  'EmailNotVerified',
  'EmailAlreadyVerified',
  'PasswordChangeRequired',
  'LinkInvalid',
  'TooManyRequests',
  'SaleNotStarted',
  'SalePaused',
  'SaleEnded',
  'BooksDisagree',
  'RefundNotOwed',
  'RefundChanged',
  'HashUsed',
  'RefundTooSmall',
  'RefundClaimed',
  'ClaimClosed',
  'ClaimChanged',
  'ClaimTooEarly',
  'ClaimCancellable',
  'NothingToBatch',
  'BatchClosed',
  'TransferDecided',
  'TransferNotHeld',
  'NotMarked',
  'PurchaseChanged',
  'SweepRefused',
  'DistributionRefused',
  'DistributionClosed',
  'NotWithdrawable',
  'SaleNotClosable',
  'SaleClosed',
  'SaleFrozen',
  'FreezeRefused',
  'SaleFileFaulty',
  'SaleFileChanged',
  'WebhookDisabled',
  'ConnectionLimitReached',
  'WalletFrozen',
  'WalletNotFrozen',
  'WalletChangeWaits',
  'WalletChanged',
  'WalletTooNew',
  'WalletIsContract',
  'WalletMessageInvalid',
  'SignatureWrong',
  'SignatureUnchecked',
  'OwnApproval',
  'ApprovalClosed',
  'ApprovalChanged',
  'InboxItemGone',
  'InboxItemTaken',
  'PersonNeeded',
  'NoTokensLeft',
  'BelowMinimum',
  'AboveMaximum',
  'UnknownPaymentToken',
  'TooManyOpenPurchases',
  'PurchasesLapsed',
  'UserWorthReached',
  'ConnectionWorthReached',
  'UnpaidShareReached',
  'IdempotencyKeyReused',
  'PriceStale',
  'RailUnavailable',
  'Busy',
  'Unavailable',
  'Restarting',
  'InternalError',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

/** Why a purchase would break a bound on what is reserved and not paid. */
export const boundReasons = [
  'TooManyOpenPurchases',
  'PurchasesLapsed',
  'UserWorthReached',
  'ConnectionWorthReached',
  'UnpaidShareReached',
] as const satisfies readonly RefusalReason[]

/** What a refusal may add to its reason. */
export type RefusalDetails = {
  /** Replaces the reason's own sentence if that needs a figure. */
  message?: string
  /** When the sale starts, with `SaleNotStarted`. */
  startsAt?: Date
  /** Whether a stage has been on sale before, with `SaleNotStarted`. */
  isBetweenStages?: boolean
  /**
   * When it is worth trying again: with `TooManyRequests`, `Busy` and bounds on unpaid purchases.
   */
  retryAfterSeconds?: number
  errors?: readonly FieldError[]
}

/**
 * One wrong field: its path in the request, what is expected there, and a code if pages have their
 * own sentence for it.
 */
export type FieldError = { path: string; message: string; code?: string }

/** The "no" of a use case: expected, returned to the caller, never logged as a fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  readonly details: RefusalDetails

  constructor(reason: RefusalReason, details: RefusalDetails = {}) {
    super(details.message ?? reason)
    this.reason = reason
    this.details = details
  }
}

/** The refusal of one field; `path` is its place in the request. */
export function wrongField(path: string, message: string, code?: string): Refusal {
  return new Refusal('InvalidInput', {
    errors: [{ path, message, ...(code !== undefined && { code }) }],
  })
}

const MINUTES_MAX = 120

/** How long to wait before trying again, for the sentence of a refusal. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes === 1) return 'in a minute'
  return minutes <= MINUTES_MAX ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}
