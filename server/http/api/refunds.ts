import { rowToWire } from '#contract/codec.ts'
import { refundsContract } from '#contract/refunds.ts'
import { camelKeys } from '#domain/key-case.ts'
import { cancelClaim, claimRefund } from '#server/use-cases/refunds/claim-refund.ts'
import { listOwnRefunds } from '#server/use-cases/refunds/own-refunds.ts'
import { checkAddress } from '#server/use-cases/refunds/read-address.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentClaim, presentOwedRefund } from './present-refunds.ts'

export const refundsRoutes = implement(refundsContract, {
  listOwnRefunds: async (services, _input, caller) => {
    const { owed, claims } = await listOwnRefunds(services, caller)
    return {
      owed: owed.map((each) => presentOwedRefund(each, services.sale)),
      claims: claims.map(presentClaim),
    }
  },
  checkRefundAddress: async (services, { body }, caller) =>
    rowToWire(await checkAddress(services, camelKeys(body), caller)),
  claimRefund: async (services, { body }, caller) =>
    presentClaim(await claimRefund(services, camelKeys(body), caller)),
  cancelRefundClaim: async (services, { params }, caller) =>
    presentClaim(await cancelClaim(services, params.id, caller)),
})
