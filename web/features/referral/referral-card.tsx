import { useState } from 'react'
import type { StageBonuses } from '#contract/shapes.ts'
import { formatUsd } from '#web/lib/format.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Dialog, preloadDialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useReferralLink } from './queries.ts'
import { ShareButtons } from './share-buttons.tsx'

interface ReferralCardProps {
  /** What a referral earns and from which spending on; null where no stage is on sale. */
  terms: StageBonuses['referrals'] | null
}

/** The offer, the link to pass on, and how it works. */
export function ReferralCard({ terms }: ReferralCardProps) {
  const { referrals } = useMessages()
  const { data, isError, refetch, isFetching } = useReferralLink()
  const earn = formatUsd(terms?.earn ?? 0)
  const spend = formatUsd(terms?.spend ?? 0)
  return (
    <Card
      title={referrals.cardTitle}
      aside={terms !== null && <HowItWorks earn={earn} spend={spend} />}
    >
      <p className="text-20">{terms === null ? referrals.noOffer : referrals.offer(earn, spend)}</p>
      {isError ? (
        <ErrorState
          title={referrals.linkFailed}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : data === undefined ? (
        <Skeleton className="h-32" />
      ) : (
        <>
          <CopyField label={referrals.link} value={data.link} />
          {terms !== null && <ShareButtons link={data.link} text={referrals.shareText(earn)} />}
        </>
      )}
    </Card>
  )
}

function HowItWorks({ earn, spend }: { earn: string; spend: string }) {
  const { referrals } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="-mr-3 whitespace-nowrap"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
      >
        {referrals.howTitle}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={referrals.howTitle}>
        <ol className="flex flex-col gap-6">
          {referrals.steps(earn, spend).map((step, index) => (
            <li key={step.title} className="flex gap-4">
              <span
                aria-hidden="true"
                className="tabular flex size-8 shrink-0 items-center justify-center rounded-pill border border-accent text-14 font-strong text-accent"
              >
                {index + 1}
              </span>
              <div>
                <p className="font-strong">{step.title}</p>
                <p className="text-quiet">{step.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Dialog>
    </>
  )
}
