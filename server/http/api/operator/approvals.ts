import { approvalsContract } from '#contract/operator/approvals.ts'
import { implement } from '#server/http/routing/implement.ts'
import { presentApproval } from '#server/http/routing/present-approval.ts'
import { refuse, withdraw } from '#server/use-cases/approvals/decide-approval.ts'
import { getApproval, listApprovals } from '#server/use-cases/approvals/list-approvals.ts'
import { approveAndCarryOut } from '#server/use-cases/approved/carry-out.ts'
import { findAskedRefund } from '#server/use-cases/operations/find-asked-refund.ts'
import { emailsFor } from './emails-for.ts'
import { presentRefund } from './present-operations.ts'

export const approvalsRoutes = implement(approvalsContract, {
  listApprovals: async (services, { query }) => {
    const { items, after } = await listApprovals(services, query)
    return { data: items.map(presentApproval), after }
  },
  getApproval: async (services, { params }, operator) => {
    const approval = await getApproval(services, params.id)
    const asked = await findAskedRefund(services, approval)
    return {
      ...presentApproval(approval),
      refund: asked && {
        ...presentRefund(asked.refund, services.sale, emailsFor(operator)),
        sent_explorer_url: asked.sentExplorerUrl,
      },
    }
  },
  approveAct: async (services, { params, body }, operator) =>
    presentApproval(
      await approveAndCarryOut(services, { id: params.id, hash: body.hash }, operator),
    ),
  refuseAct: async (services, { params, body }, operator) =>
    presentApproval(await refuse(services, params.id, body.reason, operator)),
  withdrawAct: async (services, { params }, operator) =>
    presentApproval(await withdraw(services, params.id, operator)),
})
