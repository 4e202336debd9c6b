import { type ReactNode, useState } from 'react'
import { instantFromWire, orNull } from '#contract/codec.ts'
import type { BonusType } from '#contract/shapes.ts'
import { tokenAmount, usd } from '#domain/money.ts'
import { bonusTokens, bonusTypes, lockBonuses } from '#domain/sale/bonus.ts'
import { type Deal, dealFormat } from '#web/features/purchase/deal.ts'
import { formatNumber, formatUsd } from '#web/lib/format/format.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { InfoTip } from '#web/ui/feedback/info-tip.tsx'
import { SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { Disclosure } from '#web/ui/layout/disclosure.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import type { BuyForm } from './use-buy-form.ts'

/** The bonuses of the purchase, line by line, under their total. */
export function BonusBreakdown({ form, symbol }: { form: BuyForm; symbol: string }) {
  const buy = useBuyTexts()
  const { deal, isDealCurrent, hasNoBonuses } = form
  // On a phone the total is enough at first: the deal is above.
  const [isOpenAtFirst] = useState(() => window.matchMedia('(width >= 40rem)').matches)
  const isWaiting = deal === null && form.fault === null && form.noRoom === null
  return (
    <Disclosure
      title={buy.bonuses.title}
      isOpenAtFirst={isOpenAtFirst}
      aside={
        deal !== null &&
        deal.lines.length > 0 && (
          <span className="tabular text-14 font-medium">
            {buy.bonuses.percent(formatNumber(deal.bonusPercent))}
          </span>
        )
      }
    >
      <div className={classNames('transition-opacity', !isDealCurrent && 'opacity-60')}>
        {hasNoBonuses ? (
          <p className="py-2 text-14 text-quiet">{buy.bonuses.failed}</p>
        ) : (
          <BonusLines deal={deal} symbol={symbol} isWaiting={isWaiting} />
        )}
        {!hasNoBonuses && isWaiting && <ExpectedLines form={form} />}
        {!hasNoBonuses && deal?.lines.length === 0 && (
          <p className="py-2 text-14 text-quiet">{buy.bonuses.none}</p>
        )}
      </div>
    </Disclosure>
  )
}

interface BonusLinesProps {
  deal: Deal | null
  symbol: string
  isWaiting: boolean
}

function BonusLines({ deal, symbol, isWaiting }: BonusLinesProps) {
  const buy = useBuyTexts()
  const format = deal === null ? String : dealFormat(deal)
  return (
    <dl>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-hairline py-2">
        <dt className="flex items-center gap-1 font-strong">
          {buy.bonuses.total}
          <InfoTip label={buy.bonuses.about}>{buy.bonuses.explanation}</InfoTip>
        </dt>
        <dd className="tabular ml-auto text-right font-strong wrap-anywhere">
          {isWaiting && (
            <>
              <SkeletonText characters={14} />
              <span className="block text-14">
                <SkeletonText characters={5} />
              </span>
            </>
          )}
          {deal === null && !isWaiting && '–'}
          {deal !== null && (
            <>
              {format(deal.bonusTokens)} <Unit>{symbol}</Unit>
              <span className="block text-14 font-regular text-quiet">
                {formatUsd(deal.bonusUsd)}
              </span>
            </>
          )}
        </dd>
      </div>
      {deal?.lines.map((line) => (
        <Line
          key={line.type}
          type={line.type}
          percent={buy.bonuses.percent(formatNumber(line.percent))}
        >
          {format(line.tokens)} <Unit>{symbol}</Unit>
        </Line>
      ))}
    </dl>
  )
}

interface LineProps {
  type: BonusType
  percent: ReactNode
  children: ReactNode
}

function Line({ type, percent, children }: LineProps) {
  const buy = useBuyTexts()
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 text-14">
      <dt className="flex min-w-0 flex-col sm:flex-row sm:items-baseline sm:gap-2">
        <span>{buy.bonuses.labels[type]}</span>
        <span className="tabular text-12 text-quiet sm:text-14">{percent}</span>
      </dt>
      <dd className="tabular ml-auto text-right wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Which bonuses there are depends only on the dollars, as long as there are tokens at all. */
const ANY_TOKENS = tokenAmount(10n ** 18n)

/** Keeps room for the expected lines; only the server knows which ones they will be. */
function ExpectedLines({ form: { stage, token, spent } }: { form: BuyForm }) {
  const user = useUser()
  const [now] = useState(() => new Date())
  const locked = lockBonuses(stage.bonuses, {
    paymentTokenId: token?.id ?? '',
    now,
    signedUpAt: orNull(user?.signup_date ?? null, instantFromWire),
    isFirstPurchase: (user?.tokens.total ?? 0) === 0,
  })
  const expected = bonusTokens(locked, spent ?? usd(0n), ANY_TOKENS)
  const types = bonusTypes.filter((type) => expected[type] !== undefined)
  return (
    <dl aria-hidden="true">
      {types.map((type) => (
        <Line key={type} type={type} percent={<SkeletonText characters={3} />}>
          <SkeletonText characters={14} />
        </Line>
      ))}
    </dl>
  )
}

function Unit({ children }: { children: string }) {
  return <span className="text-12 font-medium text-quiet">{children}</span>
}
