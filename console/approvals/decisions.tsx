import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  type ApprovalRecord,
  approvalsContract,
  type Approval,
} from '#contract/operator/approvals.ts'
import { hasApprover } from '#domain/operators/approvers.ts'
import { permissionTexts } from '#domain/operators/permissions.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { teamQuery } from '#console/operators/queries.ts'
import { useMay, useSelf } from '#console/session/self.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { LabelledLine } from '#web/ui/layout/card.tsx'
import { stakeOf } from './approval-texts.ts'

/** What the person may do about it, or why they may do nothing. */
export function Decisions({ approval }: { approval: ApprovalRecord }) {
  const { id } = useSelf()
  const mayAct = useMay(approval.permission)
  const [open, setOpen] = useState<'approve' | 'refuse' | 'withdraw'>()
  const isOwn = approval.asked_by.id === id || approval.asked_person_id === id
  return (
    <>
      {isOwn ? (
        <>
          <p className="text-quiet">You asked for this. Another person has to approve it.</p>
          <NobodyLeft approval={approval} />
          <Button variant="secondary" className="self-start" onClick={() => setOpen('withdraw')}>
            Withdraw
          </Button>
        </>
      ) : mayAct ? (
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => setOpen('approve')}>Approve</Button>
          <Button variant="secondary" onClick={() => setOpen('refuse')}>
            Refuse
          </Button>
        </div>
      ) : (
        <p className="text-quiet">
          It takes a person who may {permissionTexts[approval.permission]}.
        </p>
      )}
      {open !== undefined && (
        <Decision approval={approval} decision={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

interface DecisionProps {
  approval: ApprovalRecord
  decision: 'approve' | 'refuse' | 'withdraw'
  onClose: () => void
}

function Decision({ approval, decision, onClose }: DecisionProps) {
  const { id, hash, summary, refund } = approval
  const params = { id }
  const stake = stakeOf(approval)
  if (decision === 'approve') {
    return (
      <ActDialog
        title="Approve this?"
        confirm="Approve"
        endpoint={approvalsContract.approveAct}
        input={() => ({ params, body: { hash } })}
        done="Approved. The outcome is shown here."
        onClose={onClose}
      >
        <p className="wrap-anywhere">
          {summary}. It is carried out at once and cannot be undone here.
        </p>
        {stake !== null && (
          <dl className="flex flex-col divide-y divide-hairline">
            {refund !== null && <LabelledLine label="Owed to">{refund.user.email}</LabelledLine>}
            <LabelledLine label="At stake" isStrong>
              {stake}
            </LabelledLine>
          </dl>
        )}
      </ActDialog>
    )
  }
  if (decision === 'refuse') {
    return (
      <ActDialog
        title="Refuse this?"
        confirm="Refuse"
        asksReason
        isDangerous
        endpoint={approvalsContract.refuseAct}
        input={(reason) => ({ params, body: { reason } })}
        done="The request is refused."
        onClose={onClose}
      >
        <p className="wrap-anywhere">{summary}. Whoever asked for it sees your reason.</p>
      </ActDialog>
    )
  }
  return (
    <ActDialog
      title="Withdraw this?"
      confirm="Withdraw"
      endpoint={approvalsContract.withdrawAct}
      input={() => ({ params })}
      done="The request is withdrawn."
      onClose={onClose}
    >
      <p className="wrap-anywhere">{summary}. Nothing happens.</p>
    </ActDialog>
  )
}

/**
 * Tells whoever asked that nobody on the team could approve it, and what to do about it: a second
 * person is needed even by an operator who is alone again.
 */
function NobodyLeft({ approval }: { approval: Approval }) {
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
