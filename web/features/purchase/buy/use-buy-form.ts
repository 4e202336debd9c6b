import { useMemo } from 'react'
import { instantFromWire, orNull, priceFromWire } from '#contract/codec.ts'
import type { Project, Stage as WireStage } from '#contract/shapes.ts'
import { type StageOnSale, stageFromWire } from '#contract/stage-codec.ts'
import { formatDecimal, USD_DECIMALS, type Usd } from '#domain/money.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import {
  asTypedUsd,
  buyAmounts,
  cryptoForUsd,
  readUsd,
  type TypedAmount,
  typedCoins,
} from './buy-amounts.ts'
import { type Deal, dealOf } from '#web/features/purchase/deal.ts'
import { useUser } from '#web/session/session-context.tsx'
import { bonusBoundaries, useBoundariesPassed } from './bonus-boundaries.ts'
import { useBonusPreview, usePrices, useTokenMinimum } from './price-queries.ts'
import { spendFault, stageLimits } from './spend-limits.ts'
import type { BuyDraftState } from './use-buy-draft.ts'

/** An invalid amount that stays this long is reported while the field still has the focus. */
const FAULT_DELAY_MS = 1000

export function useBuyForm(project: Project, wire: WireStage, { draft, change }: BuyDraftState) {
  const { typed, token, isEdited, isTouched } = draft
  const onSale = useMemo(() => stageFromWire(wire, project.decimals), [wire, project.decimals])
  const signedUpAt = orNull(useUser()?.signup_date ?? null, instantFromWire)
  const isSwitchedOff = token !== undefined && !project.payment_tokens.includes(token)
  const prices = usePrices()
  const priceUsd = token === undefined ? undefined : prices.data?.[token.short_name]?.USD
  const cryptoPrice = priceUsd === undefined ? null : priceFromWire(priceUsd)
  const amounts = buyAmounts(typed, cryptoPrice)
  const spent = readUsd(amounts.usdText)

  const { minimum, isAsked, isUnavailable } = useTokenMinimum(token?.id ?? null)
  const limits = stageLimits(onSale, { id: token?.id ?? '', ...minimum })
  const fault = spendFault(spent, limits)
  const hasSettled = useDebounced(amounts.usdText, FAULT_DELAY_MS) === amounts.usdText

  const asked = fault === null && spent !== null ? amounts.usdText : null
  const answer = useBonusPreview({
    stage: wire,
    tokenId: token?.id ?? null,
    usdText: asked,
    boundariesPassed: useBoundariesPassed(bonusBoundaries(onSale.stage.bonuses, signedUpAt)),
  })
  // Why an amount is refused is said by the limits, which may be a moment behind the refusal.
  const bonus = { ...answer, isFailed: answer.isFailed && !isAsked }
  const noRoom =
    asked !== null && bonus.isCurrent && !isAsked ? (bonus.preview?.noRoom ?? null) : null

  const deal = spent === null || asked === null ? null : dealFrom(bonus, spent, onSale)
  const edit = (next: TypedAmount) => change({ typed: next, isEdited: true })

  return {
    stage: onSale.stage,
    token,
    typed,
    amounts,
    spent,
    limits,
    /** Whether the chosen token's own minimum, which may raise the limits, is about to be known. */
    isMinimumAsked: isAsked,
    fault,
    /** That too little is left for the amount, in the server's words. */
    noRoom,
    /** When the server last said whether the amount can be bought; 0 if it has not yet. */
    previewedAt: bonus.isCurrent ? bonus.answeredAt : 0,
    shownFault: isTouched || (isEdited && hasSettled) ? fault : null,
    coinFault: coinFault(),
    prices,
    deal,
    /** What is sent for the tokens of the deal, which may still be that of the last amount. */
    dealCoins:
      deal === null || deal.spent === spent
        ? amounts.cryptoText
        : cryptoForUsd(formatDecimal(deal.spent, USD_DECIMALS), cryptoPrice),
    isDealCurrent: deal === null || bonus.isOfThis,
    hasNoBonuses: bonus.isFailed,
    typeUsd: (text: string) => edit({ field: 'usd', text }),
    typeCrypto: (text: string) => edit(typedCoins(text, cryptoPrice)),
    touch: () => change({ isTouched: true }),
    /** The dollars stay, since buyers think in them; the coins follow. */
    chooseToken: (id: string) => change({ typed: asTypedUsd(typed, cryptoPrice), tokenId: id }),
  }

  /** Why nothing can be bought with the chosen token now. */
  function coinFault(): 'noPrice' | 'unavailable' | 'tooLittleLeft' | null {
    if (isUnavailable || isSwitchedOff) return 'unavailable'
    if (!prices.isPending && cryptoPrice === null) return 'noPrice'
    return limits.isBelowRail ? 'tooLittleLeft' : null
  }
}

export type BuyForm = ReturnType<typeof useBuyForm>

/**
 * From the whole of the last answer, so that its lines always add up; without one, only the base.
 */
function dealFrom(
  { preview, isFailed }: ReturnType<typeof useBonusPreview>,
  spent: Usd,
  { stage, tokenPrice }: StageOnSale,
): Deal | null {
  const decimals = stage.tokenDecimals
  if (preview === undefined) return isFailed ? dealOf(spent, tokenPrice, {}, decimals) : null
  if (preview.noRoom !== null) return null
  return dealOf(readUsd(preview.usdText) ?? spent, preview.tokenPrice, preview.bonuses, decimals)
}
