import { useState } from 'react'
import type { StageBonuses } from '#contract/shapes.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { paths } from '#web/lib/paths.ts'
import { useMessages } from '#web/messages/en.ts'
import { useUser } from '#web/session/session-context.tsx'
import { Button } from '#web/ui/actions/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Dialog, preloadDialog } from '#web/ui/layout/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton, SkeletonLines } from '#web/ui/feedback/skeleton.tsx'
import { useReferralLink } from './queries.ts'
import { ShareButtons } from './share-buttons.tsx'

type Terms = StageBonuses['referrals']

interface ReferralCardProps {
  /**
   * What a referral earns and from which spending on; null where nothing is on offer, undefined
   * while that is not known.
   */
  terms: Terms | null | undefined
  /** Asks for it again; null unless it could not be had. */
  onRetryTerms: (() => void) | null
}

/** The offer, the link to pass on, and how it works. */
export function ReferralCard({ terms, onRetryTerms }: ReferralCardProps) {
  const { referrals } = useMessages()
  const { data, isError, refetch, isFetching } = useReferralLink()
  return (
    <Card title={referrals.cardTitle} aside={terms && <HowItWorks {...inDollars(terms)} />}>
      {onRetryTerms === null ? (
        <p className="text-20">
          <Offer terms={terms} />
        </p>
      ) : (
        <ErrorState title={referrals.offerFailed} onRetry={onRetryTerms} />
      )}
      {isError ? (
        <ErrorState
          title={referrals.linkFailed}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : data === undefined ? (
        <LinkWaiting />
      ) : (
        <>
          <CopyField label={referrals.link} value={data.link} />
          {terms === undefined && onRetryTerms === null && <Skeleton className="h-11" />}
          {terms && (
            <ShareButtons link={data.link} text={referrals.shareText(inDollars(terms).earn)} />
          )}
        </>
      )}
    </Card>
  )
}

/** As high as the link and the buttons: one like it is as long. */
function LinkWaiting() {
  const { referrals } = useMessages()
  const userId = useUser()?.id ?? ''
  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="text-14 text-quiet">{referrals.link}</span>
        <Skeleton className="border border-transparent px-3 py-2 pr-11">
          {`${window.location.origin}${paths.register}?referral=${userId}`}
        </Skeleton>
      </div>
      <Skeleton className="h-11" />
    </>
  )
}

function Offer({ terms }: Pick<ReferralCardProps, 'terms'>) {
  const { referrals } = useMessages()
  if (terms === undefined) return <SkeletonLines>{referrals.offer('$00', '$000')}</SkeletonLines>
  if (terms === null) return referrals.noOffer
  const { earn, spend } = inDollars(terms)
  return referrals.offer(earn, spend)
}

function inDollars({ earn, spend }: Terms) {
  return { earn: formatUsd(earn), spend: formatUsd(spend) }
}

function HowItWorks({ earn, spend }: { earn: string; spend: string }) {
  const { referrals } = useMessages()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="-my-1.5 -mr-3 whitespace-nowrap"
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
