import type { AskedAct } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { Time } from '#console/kit/time.tsx'
import { TextLink } from '#web/ui/actions/links.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

interface AskedProps {
  asked: readonly AskedAct[]
  /** What whoever approves it must be allowed to do. */
  permission: Permission
}

const acts: Record<string, string> = {
  approveRefundClaim: 'approve it',
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
    <Banner key={id} tone="info">
      <span className="flex flex-col gap-1">
        <span>
          {name ?? 'Somebody with the server’s token'} asked to{' '}
          {acts[act] ?? actText(act).toLowerCase()}, <Time value={date} />. It takes another person
          who may {permissionTexts[permission]}.
        </span>
        <TextLink to={`/approvals/${id}`} className="self-start">
          It waits under Approvals
        </TextLink>
      </span>
    </Banner>
  ))
}
