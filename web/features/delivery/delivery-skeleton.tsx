import { AddressText } from '#web/ui/address-text.tsx'
import { Skeleton, SkeletonLines, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { Card } from '#web/ui/layout/card.tsx'

const ANY_ADDRESS = `0x${'0'.repeat(40)}`
/** As long as the sentence about tokens that wait. */
const ANY_SENTENCE = 'xxxx xxxxx xxxxx xxx xxxx xxxx xxxxx xxxxxx xxxxx xxx xxx xxxx'
const ANY_HEADING = ' xxx xxxxxx xxx xxx'

/** In the shape of the card of waiting tokens with a wallet, which is the most common case. */
export function DeliverySkeleton({ tokens }: { tokens: string }) {
  const label = <SkeletonText characters={14} />
  const state = 'waiting'
  return (
    <Card title={<SkeletonText characters={20} />}>
      <div aria-hidden="true" className="flex min-w-0 flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="tabular font-medium">
            <SkeletonLines>{tokens + ANY_HEADING}</SkeletonLines>
          </p>
          <Skeleton className="px-2 py-0.5 text-14">xxxxxxxxxx</Skeleton>
        </div>
        <ProgressSteps
          label=""
          steps={[
            { label, state, detail: <Skeleton>{<AddressText value={ANY_ADDRESS} />}</Skeleton> },
            { label, state, detail: <SkeletonLines>{ANY_SENTENCE}</SkeletonLines> },
            { label, state },
          ]}
        />
      </div>
    </Card>
  )
}
