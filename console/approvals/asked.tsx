import type { AskedAct } from '#contract/operator/shapes.ts'
import { actText } from '#domain/operators/act-text.ts'
import { type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { Time } from '#console/kit/values.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

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
