import { datesToWire, instantToWire } from '#contract/codec.ts'
import { teamContract } from '#contract/operator/team.ts'
import { implement } from '#server/http/routing/implement.ts'
import type { Services } from '#server/services.ts'
import {
  changeRole,
  type InvitationLink,
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
    presentLink(await inviteOperator(services, body, operator)),
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
    const reset = presentLink(await resetFactors(services, params.id, operator))
    return { ...reset, link: operator.kind === 'token' ? reset.link : null }
  },
})

async function presentOperators(services: Services) {
  const operators = await listOperators(services)
  return {
    data: operators.map((operator) => ({
      ...operator,
      has_authenticator: operator.hasAuthenticator,
      created_date: instantToWire(operator.createdAt),
      last_seen_date: operator.lastSeenAt && instantToWire(operator.lastSeenAt),
    })),
  }
}

async function presentInvitations(services: Services) {
  const invitations = await listInvitations(services)
  return {
    data: invitations.map((invitation) => ({
      ...invitation,
      ...datesToWire(invitation),
      is_reset: invitation.isReset,
      invited_by: invitation.invited_by_name,
    })),
  }
}

function presentLink({ expiresAt, ...invitation }: InvitationLink) {
  return { ...invitation, expires_date: instantToWire(expiresAt) }
}
