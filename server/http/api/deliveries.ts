import { rowToWire } from '#contract/codec.ts'
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
        ...rowToWire(waiting),
        tokens: formatDecimal(waiting.tokens, project.decimals),
        wallet: waiting.address,
      },
      deliveries: parts.map((part) => presentPart(part, project.decimals)),
    }
  },
})

function presentPart(part: DeliveredPart, decimals: number): Delivery {
  const { contract, proof } = part
  return {
    ...rowToWire(part),
    distribution_id: String(part.distributionId),
    tokens: formatDecimal(part.tokens, decimals),
    wallet: part.address,
    wallet_amount: formatDecimal(part.amount, part.decimals),
    wallet_arrived: formatDecimal(part.arrived, part.decimals),
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
    transfers: part.transfers.map((each) => ({ ...rowToWire(each), transaction_hash: each.hash })),
  }
}
