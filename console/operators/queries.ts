import { queryOptions } from '@tanstack/react-query'
import { teamContract } from '#contract/operator/team.ts'
import { call } from '#web/lib/api/call.ts'

export const teamQuery = queryOptions({
  queryKey: ['operator', 'team'],
  queryFn: ({ signal }) => call(teamContract.listOperators, {}, { signal }),
})

export const invitationsQuery = queryOptions({
  queryKey: ['operator', 'team', 'invitations'],
  queryFn: ({ signal }) => call(teamContract.listInvitations, {}, { signal }),
})
