import { type ConfirmationRule, confirmationRule } from '#server/payments/chains/confirmations.ts'

/** By chain id. Ethereum finalises after 64 to 95 blocks; Polygon once replaced 157 of them. */
const DEFAULTS: ReadonlyMap<number, ConfirmationRule> = new Map([
  [1, confirmationRule([0n, 12], [10_000n, 32], [100_000n, 96])],
  [56, confirmationRule([0n, 20], [10_000n, 60], [100_000n, 200])],
  [137, confirmationRule([0n, 64], [10_000n, 200], [100_000n, 400])],
])
const DEFAULT = confirmationRule([0n, 32], [10_000n, 96], [100_000n, 200])

export function defaultConfirmations(chainId: number): ConfirmationRule {
  return DEFAULTS.get(chainId) ?? DEFAULT
}
