import type { EndedMark } from '#contract/operator/shapes.ts'
import { Time } from '#console/kit/values.tsx'
import { Transaction } from '#console/purchases/amounts.tsx'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

const who = ({ asked_by: name }: EndedMark) => name ?? 'Somebody with the server’s token'

/** Before money is sent: that somebody has said that it was, in a request that was not done. */
export function EndedMarkBanner({ mark }: { mark: EndedMark }) {
  return (
    <Banner
      tone="warning"
      action={<TextLink to={`/approvals/${mark.approval_id}`}>Look at the request</TextLink>}
    >
      {who(mark)} asked to mark this as paid, <Time value={mark.asked_date} />, and that was not
      done. Look up whether it was sent by this transaction, before it is sent again:{' '}
      <Transaction hash={mark.hash} url={mark.explorer_url} />
    </Banner>
  )
}

/** The same in a row. */
export function EndedMarkLine({ mark }: { mark: EndedMark }) {
  return (
    <>
      <span className="text-14 text-quiet">{who(mark)} asked to mark it as paid by</span>
      <Transaction hash={mark.hash} url={mark.explorer_url} />
      <TextLink to={`/approvals/${mark.approval_id}`}>Look at the request</TextLink>
    </>
  )
}
