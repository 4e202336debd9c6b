import { type RefObject, useId } from 'react'
import { usdFromWire } from '#contract/codec.ts'
import type { Project, Stage } from '#contract/shapes.ts'
import { formatDecimal, USD_DECIMALS, type Usd } from '#domain/money.ts'
import { TokenPicker } from '#web/features/purchase/picker/token-picker.tsx'
import { formatUsdExact } from '#web/lib/format/format.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { AmountField } from '#web/ui/fields/amount-field.tsx'
import { groupedReading } from '#web/ui/fields/grouped-reading.ts'
import { AmountPresets } from './amount-presets.tsx'
import { CRYPTO_FIELD_DECIMALS, USD_FIELD_DECIMALS } from './buy-amounts.ts'
import { mostToSpend } from './spend-limits.ts'
import type { BuyForm } from './use-buy-form.ts'

interface SpendFieldProps {
  form: BuyForm
  fieldRef: RefObject<HTMLInputElement | null>
  takesFocus: boolean
}

/**
 * The dollars. The field holds only digits and a point: separators in it would be typed over,
 * copied along and counted by the caret, so the amount is shown in groups beside it.
 */
export function SpendField({ form, fieldRef, takesFocus }: SpendFieldProps) {
  const buy = useBuyTexts()
  const fault = useFaultText(form)
  const reading = groupedReading(form.amounts.usdText)
  return (
    <div className="@container">
      <AmountField
        ref={fieldRef}
        name="usd_amount"
        autoFocus={takesFocus}
        label={buy.spend}
        prefix="$"
        suffix={
          <>
            {reading !== null && (
              <span
                aria-hidden="true"
                data-reading
                className="tabular hidden pr-1.5 text-14 @min-[12rem]:inline"
              >
                {reading}
              </span>
            )}
            <Unit>USD</Unit>
          </>
        }
        decimals={USD_FIELD_DECIMALS}
        value={form.amounts.usdText}
        onChange={(event) => form.typeUsd(event.currentTarget.value)}
        onBlur={form.touch}
        hint={<LimitsHint form={form} />}
        error={fault}
        className="text-20 font-medium"
      />
    </div>
  )
}

/**
 * Shortcuts to the amounts that earn more bonus. Those that there is no room for cannot be chosen,
 * but the keyboard still reaches them, so that everybody learns why.
 */
export function SpendPresets({ form, stage }: { form: BuyForm; stage: Stage }) {
  const buy = useBuyTexts()
  const mostId = useId()
  const tiers = stage.bonuses.tiered_fiat
  const { room } = form.limits
  const isTooMuch = (amount: number) => usdFromWire(amount) > room
  return (
    <div className="flex flex-col gap-2">
      <AmountPresets
        tiers={tiers}
        value={form.amounts.usdText}
        onChoose={form.typeUsd}
        propsOf={(amount) =>
          isTooMuch(amount)
            ? {
                'aria-disabled': true,
                'aria-describedby': mostId,
                onClick: undefined,
                style: { opacity: 0.5, cursor: 'default' },
              }
            : {}
        }
      />
      {tiers.some(({ amount }) => isTooMuch(amount)) && (
        <p id={mostId} className="text-14 text-quiet">
          {buy.tooMuch(inDollars(room))}
        </p>
      )}
    </div>
  )
}

interface CoinFieldsProps {
  form: BuyForm
  fieldRef: RefObject<HTMLInputElement | null>
  project: Project
  stage: Stage
}

/** The amount of coins for the dollars, and the choice of coin. */
export function CoinFields({ form, fieldRef, project, stage }: CoinFieldsProps) {
  const buy = useBuyTexts()
  const symbol = form.token?.short_name ?? ''
  return (
    <div className="grid gap-x-4 gap-y-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <AmountField
        ref={fieldRef}
        name="token_amount"
        label={buy.buyWith}
        suffix={<Unit>{symbol}</Unit>}
        decimals={CRYPTO_FIELD_DECIMALS}
        value={form.amounts.cryptoText}
        onChange={(event) => form.typeCrypto(event.currentTarget.value)}
        onBlur={form.touch}
        error={form.coinFault === null ? undefined : buy[form.coinFault](symbol)}
        keepsErrorLine={false}
        className="text-20 font-medium"
      />
      <TokenPicker
        label={buy.token}
        tokens={project.payment_tokens}
        stage={stage}
        chosen={form.token}
        onChange={form.chooseToken}
      />
    </div>
  )
}

function Unit({ children }: { children: string }) {
  return <span className="pr-3 text-14">{children}</span>
}

function useFaultText({ shownFault, limits }: BuyForm): string | undefined {
  const buy = useBuyTexts()
  switch (shownFault) {
    case null:
      return undefined
    case 'empty':
      return buy.empty
    case 'tooMuch':
      return buy.tooMuch(inDollars(mostToSpend(limits)))
    case 'tooLittle':
      return buy.tooLittle(inDollars(limits.min))
  }
}

/**
 * What may be spent, and how much is left if that is less than the amount: this is not the buyer's
 * error, so it does not wait until the field was touched.
 */
function LimitsHint({ form: { limits, isMinimumAsked, noRoom } }: { form: BuyForm }) {
  const buy = useBuyTexts()
  if (isMinimumAsked) return <SkeletonText characters={16} />
  if (limits.isBelowRail) return null
  const most = limits.most === null || noRoom !== null ? null : inDollars(limits.most)
  return (
    <>
      {buy.limits(inDollars(limits.min), most)}
      {limits.isLastRemainder && <span className="block">{buy.lastRemainder}</span>}
      <span role="status" className="block font-medium text-warning">
        {noRoom}
      </span>
    </>
  )
}

/** To the last digit: an amount typed as the message says must be accepted. */
export function inDollars(amount: Usd): string {
  return formatUsdExact(formatDecimal(amount, USD_DECIMALS))
}
