import type { Usd } from '#domain/money.ts'
import type { PaymentToken } from '#domain/sale/sale.ts'
import { Unavailable } from '#domain/unavailable.ts'
import type { Pace } from '#server/payments/chains/pacing.ts'
import type { GatewayRecord } from '#server/ports/gateway-record.ts'
import type { AddressRequest, Webhook } from '#server/ports/rail.ts'
import type { Clock, Log, Outgoing } from '#server/ports/runtime.ts'

/** What every gateway is built with. */
export type GatewayCollaborators = {
  /** Those of the sale that this gateway takes. */
  paymentTokens: readonly PaymentToken[]
  record: GatewayRecord
  outgoing: Outgoing
  clock: Clock
  log: Log
  /** Null: each gateway's default. */
  pace: Pace | null
}

export type GatewayOptions = Omit<GatewayCollaborators, 'outgoing' | 'pace'> & {
  name: 'nowpayments' | 'btcpay'
  api: GatewayApi
  readWebhook: Webhook['read']
  /** Left out if the gateway says when a payment was sent. */
  graceMs?: number
  minimum?: (paymentToken: PaymentToken) => Promise<Usd | null>
  pace: Pace
}

/** The part of a gateway's API that a sale needs. Amounts remain text as sent. */
export type GatewayApi = {
  /**
   * Creates a payment under the purchase's id. Throws {@link ApiRefused} if the gateway refuses,
   * and `Unavailable` if it is unknown whether the payment exists now.
   * @param code The payment token's name at the gateway.
   */
  create(request: AddressRequest, code: string): Promise<{ paymentId: string; address: string }>
  /**
   * Looks for a payment that was created under the purchase's id although no reply came; null if
   * the gateway has none. `address` is null if the gateway does not say it.
   */
  find(lost: {
    purchaseId: string
    /**
     * Null if the sale no longer takes the coin through this gateway: its address is not asked for.
     */
    code: string | null
    createdAt: Date
  }): Promise<{ paymentId: string; address: string | null } | null>
  /** Asks for something harmless with the key, and throws if the gateway does not answer it. */
  greet(): Promise<void>
  /** How far the gateway itself has read its chains. Left out by a gateway that does not say. */
  lookAtChains?(): Promise<GatewayChains>
  /** The current state of a payment. Throws {@link NotOurs} if it is for another purchase. */
  ask(payment: {
    paymentId: string
    purchaseId: string
    isOwn: boolean
    ownPaymentId: string | null
  }): Promise<GatewayAnswer>
}

export type GatewayChains = {
  /** Whether answers may lack payments that were made, so that nothing is to expire by them. */
  mayLackPayments: boolean
  /** Whether the gateway has said so itself. */
  isBehind: boolean
  /**
   * Up to when a chain was behind, or may have been: what the gateway finds afterwards it dates too
   * late.
   */
  behindAt: Date | null
}

export type GatewayAnswer = {
  /** The gateway's own status, for people to read: it decides nothing. */
  status: string
  /** True if the payment has failed for good, with no money that counts. */
  hasFailed: boolean
  /** Payments that the gateway created for further deposits to the same address. */
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
  /** Null if the gateway does not say. */
  sentAt: Date | null
}

/** The request was refused, and nothing was done. */
export class ApiRefused extends Unavailable {
  readonly status: number
  /** False if something in front of the gateway refused it. */
  readonly isByGateway: boolean

  constructor(message: string, status: number, isByGateway = true) {
    super(message)
    this.status = status
    this.isByGateway = isByGateway
  }
}

/** The payment belongs to something else. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs'
}
