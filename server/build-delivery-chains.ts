import type { EvmSettings } from '#server/payments/evm/settings.ts'
import { confirmationsFor } from '#server/payments/chains/confirmations.ts'
import { createDeliveryChain } from '#server/payments/evm/claims/delivery-chain.ts'
import { defaultConfirmations, explorerUrl } from '#server/payments/evm/networks.ts'
import type { DeliveryChain } from '#server/ports/claims.ts'

/** Every EVM chain with nodes in the settings, by its id, including chains without payments. */
export function buildDeliveryChains({
  nodeUrls,
  confirmations,
}: EvmSettings): ReadonlyMap<number, DeliveryChain> {
  const chains = [...nodeUrls].map(([chainId, urls]) =>
    createDeliveryChain({
      chainId,
      urls,
      confirmations: confirmationsFor(
        confirmations.get(chainId) ?? defaultConfirmations(chainId),
        null,
      ),
      explorerUrl: (hash) => explorerUrl(chainId, hash),
    }),
  )
  return new Map(chains.map((chain) => [chain.chainId, chain]))
}
