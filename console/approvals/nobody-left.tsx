import { useQuery } from '@tanstack/react-query'
import type { Approval } from '#contract/operator/approvals.ts'
import { hasApprover } from '#domain/operators/approvers.ts'
import { permissionTexts } from '#domain/operators/permissions.ts'
import { teamQuery } from '#console/operators/queries.ts'
import { useMay } from '#console/session/self.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

/**
 * Tells whoever asked that nobody on the team could approve it, and what to do about it: a second
 * person is needed even by an operator who is alone again.
 */
export function NobodyLeft({ approval }: { approval: Approval }) {
  const team = useQuery(teamQuery).data?.data
  const mayInvite = useMay('operators.manage')
  const { permission, asked_person_id: person } = approval
  if (team === undefined || hasApprover(team, { permission, person })) return null
  return (
    <Banner tone="warning">
      Nobody on the team can approve this: it takes another person who may{' '}
      {permissionTexts[permission]}.{' '}
      {mayInvite ? (
        <>
          Invite somebody under <TextLink to="/operators">Operators</TextLink>, or withdraw the
          request.
        </>
      ) : (
        'Ask an owner to invite somebody, or withdraw the request.'
      )}
    </Banner>
  )
}
