import { refundsContract } from '#contract/refunds.ts'
import { cancelClaim, claimRefund } from '#server/use-cases/refunds/claim-refund.ts'
import { listOwnRefunds } from '#server/use-cases/refunds/own-refunds.ts'
import { checkAddress } from '#server/use-cases/refunds/read-address.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentClaim, presentOwedRefund } from './present-refunds.ts'

export const refundsRoutes = implement(refundsContract, {
  listOwnRefunds: async (services, _input, caller) => {
    const { owed, claims } = await listOwnRefunds(services, caller)
    return { owed: owed.map(presentOwedRefund), claims: claims.map(presentClaim) }
  },
  checkRefundAddress: async (services, { body }, caller) => {
    const { payment_token_id: paymentTokenId, ...wanted } = body
    const { address, isChecked } = await checkAddress(
      services,
      { paymentTokenId, ...wanted },
      caller,
    )
    return { address, is_checked: isChecked }
  },
  claimRefund: async (services, { body }, caller) => {
    const { payment_token_id: paymentTokenId, ...wanted } = body
    return presentClaim(await claimRefund(services, { paymentTokenId, ...wanted }, caller))
  },
  cancelRefundClaim: async (services, { params }, caller) =>
    presentClaim(await cancelClaim(services, params.id, caller)),
})
