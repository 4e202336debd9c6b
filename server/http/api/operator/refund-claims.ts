import { refundClaimsContract } from '#contract/operator/refund-claims.ts'
import { implement } from '#server/http/routing/implement.ts'
import { approveClaim, rejectClaim } from '#server/use-cases/refunds/decide-claim.ts'
import { getClaim, listClaims } from '#server/use-cases/refunds/list-claims.ts'
import { emailsFor } from './emails-for.ts'
import { presentOperatorClaim } from './present-claims.ts'

export const refundClaimsRoutes = implement(refundClaimsContract, {
  listRefundClaims: async (services, { query }, operator) => {
    const page = await listClaims(services, query)
    const emails = emailsFor(operator)
    return { ...page, data: page.items.map((item) => presentOperatorClaim(item, emails)) }
  },
  getRefundClaim: async (services, { params }, operator) =>
    presentOperatorClaim(await getClaim(services, params.id), emailsFor(operator)),
  approveRefundClaim: async (services, { params, body }, operator) => {
    await approveClaim(services, { id: params.id, ...body }, operator)
    return presentOperatorClaim(await getClaim(services, params.id), emailsFor(operator))
  },
  rejectRefundClaim: async (services, { params, body }, operator) => {
    await rejectClaim(services, { id: params.id, reason: body.reason }, operator)
    return presentOperatorClaim(await getClaim(services, params.id), emailsFor(operator))
  },
})
