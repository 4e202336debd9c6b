import { instantToWire, orNull } from '#contract/codec.ts'
import { type Delivery, deliveriesContract } from '#contract/delivery/deliveries.ts'
import { formatDecimal } from '#domain/money.ts'
import {
  type DeliveredPart,
  listOwnDeliveries,
} from '#server/use-cases/deliveries/own-deliveries.ts'
import { implement } from '#server/http/routing/implement.ts'

export const deliveriesRoutes = implement(deliveriesContract, {
  listOwnDeliveries: async (services, _input, { userId }) => {
    const { delivery, project } = services.sale
    const { waiting, parts } = await listOwnDeliveries(services, userId)
    return {
      delivery: delivery && { chain: delivery.chain, chain_id: delivery.chainId },
      waiting: waiting && {
        state: waiting.state,
        tokens: formatDecimal(waiting.tokens, project.decimals),
        wallet: waiting.address,
        is_frozen: waiting.isFrozen,
      },
      deliveries: parts.map((part) => presentPart(part, project.decimals)),
    }
  },
})

function presentPart(part: DeliveredPart, decimals: number): Delivery {
  const { contract, proof } = part
  return {
    distribution_id: String(part.distributionId),
    tool: part.tool,
    state: part.state,
    tokens: formatDecimal(part.tokens, decimals),
    wallet: part.address,
    token: part.token,
    wallet_amount: formatDecimal(part.amount, part.decimals),
    wallet_arrived: formatDecimal(part.arrived, part.decimals),
    is_to_claim: part.isToClaim,
    claim_url: part.claimUrl,
    claim:
      contract === null || proof === null
        ? null
        : {
            chain_id: part.chainId,
            contract,
            index: part.place,
            account: part.address,
            amount: String(part.amount),
            proof: [...proof],
          },
    expires_date: orNull(part.expiresAt, instantToWire),
    transfers: part.transfers.map((each) => ({
      transaction_hash: each.hash,
      explorer_url: each.explorerUrl,
      receiver: each.receiver,
      date: instantToWire(each.at),
      confirmations: each.confirmations,
      required_confirmations: each.requiredConfirmations,
    })),
  }
}
