import { useQuery } from '@tanstack/react-query'
import { type Approval, approvalsContract } from '#contract/operator/approvals.ts'
import { LOOK_EVERY_MS } from '#console/kit/look-every.ts'
import { call } from '#web/lib/api/call.ts'
import { Asked } from './asked.tsx'

/** The most that the API returns at a time. */
const PAGE = '100'

interface WaitingProps {
  acts: readonly string[]
  /** What they are about, by its id; left out for acts about the sale as a whole. */
  about?: string
}

/** Requests for these acts that wait for a second person, newest first. */
export function useWaiting({ acts, about }: WaitingProps): readonly Approval[] {
  const query = useQuery({
    queryKey: ['operator', 'approvals', 'beside'],
    queryFn: ({ signal }) =>
      call(
        approvalsContract.listApprovals,
        { query: { state: 'waiting', limit: PAGE } },
        { signal },
      ),
    refetchInterval: LOOK_EVERY_MS,
  })
  const waiting = query.data?.data ?? []
  return waiting.filter(
    (approval) => acts.includes(approval.act) && (about === undefined || approval.about === about),
  )
}

/** The same, shown on the screen of what they are about. */
export function Waiting(props: WaitingProps) {
  return useWaiting(props).map(({ id, act, permission, asked_by: by, asked_date: date }) => (
    <Asked
      key={id}
      asked={[{ approval_id: id, act, asked_by: by.name, asked_date: date }]}
      permission={permission}
    />
  ))
}
