import { Unavailable } from '#domain/unavailable.ts'
import type { AddressRequest } from '#server/ports/rail.ts'

/**
 * One gateway's own interface, as far as a sale needs it. Amounts stay the text that was written.
 */
export type GatewayApi = {
  /**
   * Makes a payment, under the purchase's id. Throws {@link ApiRefused} where the gateway says no,
   * and `Unavailable` where it is not known whether there is one now.
   * @param code The payment token's name there.
   */
  create(request: AddressRequest, code: string): Promise<{ paymentId: string; address: string }>
  /**
   * What the gateway says of a payment now. Throws {@link NotOurs} where it is for another
   * purchase.
   */
  ask(payment: {
    paymentId: string
    purchaseId: string
    isOwn: boolean
    ownPaymentId: string | null
  }): Promise<GatewayAnswer>
}

export type GatewayAnswer = {
  /** The gateway's own word for it; it decides nothing. */
  status: string
  /** True where the payment has failed for good, with no money that counts. */
  hasFailed: boolean
  /** Payments that it made of further deposits to the same address. */
  furtherIds: readonly string[]
  deposits: readonly GatewayDeposit[]
}

export type GatewayDeposit = {
  transactionHash: string
  index: number
  /** The asset's name at the gateway. */
  code: string
  written: string
  isConfirmed: boolean
  isGone: boolean
  /** Null where the gateway does not say. */
  sentAt: Date | null
}

/** The gateway understood and said no. */
export class ApiRefused extends Unavailable {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The gateway knows the payment as one for something else. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs'
}
