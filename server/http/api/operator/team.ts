import { rowToWire } from '#contract/codec.ts'
import { teamContract } from '#contract/operator/team.ts'
import { implement } from '#server/http/routing/implement.ts'
import type { Services } from '#server/services.ts'
import {
  changeRole,
  inviteOperator,
  listInvitations,
  listOperators,
  removeOperator,
  resetFactors,
  withdrawInvitation,
} from '#server/use-cases/operators/manage-team.ts'

export const teamRoutes = implement(teamContract, {
  listOperators: presentOperators,
  listInvitations: presentInvitations,
  inviteOperator: async (services, { body }, operator) =>
    rowToWire(await inviteOperator(services, body, operator)),
  withdrawInvitation: async (services, { params }, operator) => {
    await withdrawInvitation(services, params.id, operator)
    return await presentInvitations(services)
  },
  changeRole: async (services, { params, body }, operator) => {
    await changeRole(services, { ...params, ...body }, operator)
    return await presentOperators(services)
  },
  removeOperator: async (services, { params }, operator) => {
    await removeOperator(services, params.id, operator)
    return await presentOperators(services)
  },
  resetFactors: async (services, { params }, operator) => {
    const reset = rowToWire(await resetFactors(services, params.id, operator))
    return { ...reset, link: operator.kind === 'token' ? reset.link : null }
  },
})

async function presentOperators(services: Services) {
  const operators = await listOperators(services)
  return { data: operators.map(rowToWire) }
}

async function presentInvitations(services: Services) {
  const invitations = await listInvitations(services)
  return {
    data: invitations.map((invitation) => ({
      ...rowToWire(invitation),
      invited_by: invitation.invited_by_name,
    })),
  }
}
