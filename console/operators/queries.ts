import { teamContract } from '#contract/operator/team.ts'
import { callQuery } from '#web/lib/api/call-query.ts'

export const teamQuery = callQuery(['operator', 'team'], teamContract.listOperators, {})

export const invitationsQuery = callQuery(
  ['operator', 'team', 'invitations'],
  teamContract.listInvitations,
  {},
)
