import type { ComponentProps } from 'react'
import { useQuery } from '@tanstack/react-query'
import { type Approval, approvalsContract } from '#contract/operator/approvals.ts'
import type { AskedAct } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { Linked, Time } from '#console/kit/values.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'

interface AskedProps {
  asked: readonly AskedAct[]
  /** What whoever approves it must be allowed to do. */
  permission: Permission
}

const acts: Record<string, string> = {
  approveRefundClaim: 'approve it',
  makeRefundBatch: 'send it in a batch',
  releasePurchase: 'release it',
  applySaleFile: 'apply a sale file',
  closeSale: 'close the sale',
  resumeSale: 'resume the sale',
  freeze: 'close the books',
  correctSnapshot: 'take another snapshot',
  sendSweep: 'send a sweep',
  publishDistribution: 'publish it',
  withdrawDistribution: 'withdraw it',
  closeDistribution: 'close it',
}

/**
 * Beside something that an act would change: who asked for it, and for whom it waits. Asking once
 * more would only make another request.
 */
export function Asked({ asked, permission }: AskedProps) {
  return asked.map(({ approval_id: id, act, asked_by: name, asked_date: date }) => (
    <Banner
      key={id}
      tone="info"
      action={<TextLink to={`/approvals/${id}`}>It waits under Approvals</TextLink>}
    >
      {name ?? 'Somebody with the server’s token'} asked to{' '}
      {acts[act] ?? actText(act).toLowerCase()}, <Time value={date} />. It takes another person who
      may {permissionTexts[permission]}.
    </Banner>
  ))
}

/** The most that the API returns at a time. */
const PAGE = '100'

interface WaitingProps {
  acts: readonly string[]
  /** What they are about, by its id; left out for acts about the sale as a whole. */
  about?: string
}

const waitingQuery = watchedQuery(
  ['operator', 'approvals', 'beside'],
  approvalsContract.listApprovals,
  { query: { state: 'waiting', limit: PAGE } },
)

/** Requests for these acts that wait for a second person, newest first. */
export function useWaiting({ acts, about }: WaitingProps): readonly Approval[] {
  const waiting = useQuery(waitingQuery).data?.data ?? []
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

/** `Loaded`, with what waits above it: both appear at once, so that neither moves the other. */
export function LoadedWithWaiting<Data>(props: WaitingProps & ComponentProps<typeof Loaded<Data>>) {
  const { acts, about, query, children, ...rest } = props
  const { isPending } = useQuery(waitingQuery)
  return (
    <Loaded {...rest} query={isPending ? { ...query, data: undefined } : query}>
      {(data) => (
        <>
          <Waiting acts={acts} {...(about !== undefined && { about })} />
          {children(data)}
        </>
      )}
    </Loaded>
  )
}

/** In a row: that an act on it waits, with the way to the request. */
export function AskedLink({ asked }: { asked: AskedAct }) {
  return (
    <Linked to={`/approvals/${asked.approval_id}`} label="Look at the request">
      <Chip tone="info">Waits for a second person</Chip>
    </Linked>
  )
}
