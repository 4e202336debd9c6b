import type { ReactNode } from 'react'
import { useReferralTexts } from '#web/messages/use-referral-texts.ts'
import { SkeletonLines } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { inDollars, type Terms } from './referral-card.tsx'

/** From the link to the reward, each step a drawing of the mark: two posts, a cup and a coin. */
const drawings: ReactNode[] = [
  <>
    <path d="M17 44v44M53 44v44M17 56a18 18 0 0 0 36 0" className="stroke-ink" strokeWidth={11} />
    <circle cx={35} cy={40} r={9} className="fill-accent" />
    <path
      d="M56 30C70 14 94 14 110 26"
      className="stroke-accent"
      strokeWidth={3}
      strokeLinecap="round"
      strokeDasharray="0 8"
    />
    <path
      d="M113 54v34M141 54v34M113 63a14 14 0 0 0 28 0"
      className="stroke-edge"
      strokeWidth={9}
    />
    <circle cx={127} cy={52} r={7} className="fill-edge" />
  </>,
  <>
    <path d="M56 34v54M104 34v54M56 49a24 24 0 0 0 48 0" className="stroke-edge" strokeWidth={14} />
    <g className="stroke-accent" strokeWidth={1.5}>
      <circle cx={80} cy={6} r={11.25} opacity={0.35} />
      <circle cx={80} cy={20} r={11.25} opacity={0.65} />
    </g>
    <circle cx={80} cy={40} r={12} className="fill-accent" />
  </>,
  <>
    <path d="M56 34v54M104 34v54M56 49a24 24 0 0 0 48 0" className="stroke-ink" strokeWidth={14} />
    <circle cx={80} cy={47} r={12} className="fill-accent" />
    <circle cx={66} cy={23} r={12} className="fill-accent" />
    <circle cx={93} cy={19} r={12} className="fill-accent" />
  </>,
]

/** How a referral becomes a reward; without amounts while they are on their way. */
export function ReferralSteps({ terms }: { terms: Terms | undefined }) {
  const referrals = useReferralTexts()
  const { earn, spend } = inDollars(terms)
  return (
    <Card title={referrals.stepsTitle}>
      <ol className="grid gap-6 sm:grid-cols-[repeat(3,minmax(0,1fr))]">
        {referrals.pageSteps(earn, spend).map(({ title, text }, index) => (
          <li key={title} className="flex items-center gap-4 sm:flex-col sm:items-start">
            <svg
              viewBox="8 -8 144 98"
              aria-hidden="true"
              className="w-[min(6rem,40%)] shrink-0 fill-none forced-color-adjust-none sm:w-[min(9rem,100%)]"
            >
              {drawings[index]}
            </svg>
            <div className="flex min-w-0 flex-col gap-1">
              <p className="font-display text-20 font-strong">{title}</p>
              <p className="text-quiet">
                {terms === undefined ? <SkeletonLines>{text}</SkeletonLines> : text}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}
