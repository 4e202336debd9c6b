import { useId, useState } from 'react'
import { Share2 } from 'lucide-react'
import type { StageBonuses } from '#contract/shapes.ts'
import { formatUsd } from '#web/lib/format/format.ts'
import { paths } from '#web/lib/paths.ts'
import { useReferralTexts } from '#web/messages/use-referral-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { Button, buttonStyle, SmallButton } from '#web/ui/actions.tsx'
import {
  ErrorState,
  type ErrorStateProps,
  Skeleton,
  SkeletonLines,
} from '#web/ui/feedback/placeholders.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { AccentPanel } from '#web/ui/layout/accent-panel.tsx'
import { Dialog, preloadDialog } from '#web/ui/layout/dialog.tsx'
import { useReferralLink } from './queries.ts'

export type Terms = StageBonuses['referrals']

interface ReferralCardProps {
  /**
   * What a referral earns and from how much spending on; null if nothing is on offer, undefined
   * until that is known.
   */
  terms: Terms | null | undefined
  /** What they are read from; null unless that failed. */
  failed: NonNullable<ErrorStateProps['query']> | null
}

/** The offer, the link to pass on, and how it works. */
export function ReferralCard({ terms, failed }: ReferralCardProps) {
  const referrals = useReferralTexts()
  const titleId = useId()
  const query = useReferralLink()
  return (
    <AccentPanel
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-8 overflow-hidden border-b-0 p-4 sm:p-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] lg:p-8"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-4 lg:justify-start">
          <h2 id={titleId} className="text-16 sm:text-20">
            {referrals.cardTitle}
          </h2>
          {terms && <HowItWorks {...inDollars(terms)} />}
          {terms === undefined && failed === null && (
            <Skeleton className="-my-1.5 min-h-9 border border-transparent px-3 py-1.5 text-14 font-medium whitespace-nowrap">
              {referrals.howTitle}
            </Skeleton>
          )}
        </div>
        {failed === null ? (
          <Offer terms={terms} />
        ) : (
          <ErrorState title={referrals.offerFailed} query={failed} />
        )}
        {query.isError ? (
          <ErrorState title={referrals.linkFailed} query={query} />
        ) : query.data === undefined ? (
          <LinkWaiting />
        ) : (
          <>
            <CopyField label={referrals.link} value={query.data.link} />
            {terms === undefined && failed === null && <Skeleton className="h-11" />}
            {terms !== undefined && (
              <ShareButtons
                link={query.data.link}
                text={referrals.shareText(terms && inDollars(terms).earn)}
              />
            )}
          </>
        )}
      </div>
      <Friends />
    </AccentPanel>
  )
}

/** Two people, each drawn like the logo; a coin goes from the friend to the one who invited. */
function Friends() {
  return (
    <svg
      viewBox="622 196 506 604"
      aria-hidden="true"
      className="-mb-[calc(2rem+1px)] hidden w-full self-end fill-none forced-color-adjust-none lg:block"
    >
      <path
        d="M651 592v208M803 592v208M651 652a76 76 0 0 0 152 0"
        className="stroke-edge"
        strokeWidth={42}
      />
      <circle cx={727} cy={610} r={36} className="fill-edge" />
      <path
        d="M888 476v324M1098 476v324M888 560a105 105 0 0 0 210 0"
        className="stroke-ink"
        strokeWidth={60}
      />
      <circle cx={993} cy={500} r={50} className="fill-ink" />
      <path
        d="M727 524C735 350 830 270 896 268"
        className="stroke-edge"
        strokeWidth={7}
        strokeLinecap="round"
        strokeDasharray="0 22"
      />
      <circle cx={993} cy={290} r={80} className="fill-ink" />
    </svg>
  )
}

/** As high as the link and its buttons, and with a text of about the same length. */
function LinkWaiting() {
  const referrals = useReferralTexts()
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

/** What one friend earns as the figure of the page, and the sentence about it. */
function Offer({ terms }: Pick<ReferralCardProps, 'terms'>) {
  const referrals = useReferralTexts()
  if (terms === null) return <p className="text-20">{referrals.noOffer}</p>
  const { earn, spend } = inDollars(terms)
  const isWaiting = terms === undefined
  const sentence = referrals.offer(earn, spend)
  return (
    <>
      <p aria-hidden="true" className="font-display text-76 font-strong sm:text-98">
        {isWaiting ? <SkeletonLines>{earn}</SkeletonLines> : earn}
      </p>
      <p className="max-w-prose text-20">
        {isWaiting ? <SkeletonLines>{sentence}</SkeletonLines> : sentence}
      </p>
    </>
  )
}

/** The two amounts of the offer as they are written, or as wide while they are on their way. */
export function inDollars(terms: Terms | undefined) {
  if (terms === undefined) return { earn: '$00', spend: '$000' }
  return { earn: formatUsd(terms.earn), spend: formatUsd(terms.spend) }
}

function HowItWorks({ earn, spend }: { earn: string; spend: string }) {
  const referrals = useReferralTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <SmallButton
        className="-my-1.5 whitespace-nowrap"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => setOpen(true)}
      >
        {referrals.howTitle}
      </SmallButton>
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

/** Shares the link, on the specified sites and with the device's own share function. */
function ShareButtons({ link, text }: { link: string; text: string }) {
  const referrals = useReferralTexts()
  // The marks are plain shapes of our own that suggest the network; the title names it.
  const networks = [
    {
      name: 'Facebook',
      mark: 'M14 21v-7h3l.5-3.5H14V8.3c0-1 .4-1.8 1.9-1.8h1.7V3.2A17 17 0 0 0 15 3c-2.7 0-4.5 1.6-4.5 4.6v2.9H7.5V14h3v7z',
      action: referrals.facebook,
      url: shareUrl('https://www.facebook.com/sharer/sharer.php', { u: link, quote: text }),
    },
    {
      name: 'Twitter',
      mark: 'M4 4h4.6l4 5.6L17.4 4H20l-6.2 7.2L20.6 20H16l-4.3-6L6.6 20H4l6.5-7.6z',
      action: referrals.twitter,
      url: shareUrl('https://twitter.com/intent/tweet', { url: link, text }),
    },
    {
      name: 'Telegram',
      mark: 'M3 11.6 20.5 4.5 17.8 19.6 11.9 15.3 9.2 18.2 8.7 13.4 16.4 7.4 6.9 12.9z',
      action: referrals.telegram,
      url: shareUrl('https://t.me/share/url', { url: link, text }),
    },
  ]
  return (
    <div className="flex flex-wrap gap-2 [&>*]:flex-1 max-sm:[&>*]:px-2 sm:[&>*]:flex-none">
      {networks.map((network) => (
        <a
          key={network.name}
          href={network.url}
          target="_blank"
          rel="noreferrer"
          title={referrals.on(network.action, network.name)}
          className={buttonStyle('secondary', 'medium', false)}
        >
          <svg width={16} height={16} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
            <path d={network.mark} />
          </svg>
          {network.action}
        </a>
      ))}
      {typeof navigator.share === 'function' && (
        <Button
          variant="secondary"
          aria-label={referrals.native}
          onClick={() => void navigator.share({ url: link, text }).catch(() => undefined)}
        >
          <Share2 size={20} />
        </Button>
      )}
    </div>
  )
}

function shareUrl(address: string, query: Record<string, string>): string {
  return `${address}?${new URLSearchParams(query)}`
}
