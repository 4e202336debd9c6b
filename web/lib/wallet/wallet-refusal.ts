/** Why a wallet did not pay; each has its sentence, and with each the purchase stays as it is. */
export type WalletRefusalReason =
  | 'rejected'
  | 'locked'
  | 'busy'
  | 'unknownChain'
  | 'wrongChain'
  | 'insufficient'
  | 'disconnected'
  | 'timeout'
  | 'changed'
  | 'notDue'
  | 'unreachable'
  | 'failed'

export class WalletRefusal extends Error {
  override readonly name = 'WalletRefusal'
  readonly reason: WalletRefusalReason

  constructor(reason: WalletRefusalReason) {
    super(reason)
    this.reason = reason
  }
}

/** By code: EIP-1193, EIP-3085 (4902), and EIP-1474 (below zero). */
const REASONS: ReadonlyMap<unknown, WalletRefusalReason> = new Map<unknown, WalletRefusalReason>([
  [4001, 'rejected'],
  ['ACTION_REJECTED', 'rejected'],
  [4100, 'locked'],
  [4900, 'disconnected'],
  [4901, 'disconnected'],
  [4902, 'unknownChain'],
  [-32002, 'busy'],
])

const INSUFFICIENT = /insufficient (?:funds|balance)|exceeds (?:the )?balance/i

/** How deep wallets wrap errors in each other. */
const DEPTH_MAX = 4

/** What a wallet's error means. Wallets hide its code in nested errors. */
export function refusalReason(error: unknown): WalletRefusalReason {
  let inner: unknown = error
  for (let depth = 0; depth < DEPTH_MAX && typeof inner === 'object' && inner !== null; depth++) {
    const { code, message, data, originalError, cause } = inner as Record<string, unknown>
    const reason = REASONS.get(code)
    if (reason !== undefined) return reason
    if (typeof message === 'string' && INSUFFICIENT.test(message)) return 'insufficient'
    inner = data ?? originalError ?? cause
  }
  return 'failed'
}
