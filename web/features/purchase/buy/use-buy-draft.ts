import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { PaymentToken } from '#contract/shapes.ts'
import { acceptAmount } from '#web/ui/fields/accept-amount.ts'
import { paths } from '#web/lib/paths.ts'
import { useUser } from '#web/session/session-context.tsx'
import { type TypedAmount, USD_FIELD_DECIMALS } from './buy-amounts.ts'

export interface BuyFormStart {
  usdText: string
  tokenId: string
}

/** The input of the buyer. */
export interface BuyDraft {
  typed: TypedAmount
  tokenId: string
  /** The one that was shown, and that the amount is in; undefined until the tokens are known. */
  token?: PaymentToken | undefined
  /** True once something was changed by hand. */
  isEdited: boolean
  /** True once a field was left, or the form sent. */
  isTouched: boolean
}

/** The draft of the page that was left last. */
let left: { startKey: string; draft: BuyDraft } | null = null

/**
 * The content of the buy form, kept outside of it: the form is unmounted while the sale is paused
 * or between two stages, or because the session has ended and the user logs in again, and its
 * content must survive that. A new start, such as a link, resets it.
 */
export function useBuyDraft(start: BuyFormStart, tokens: readonly PaymentToken[]) {
  const startKey = `${useUser()?.id} ${start.usdText} ${start.tokenId}`
  const isBack = useLocation().state?.insteadOf === paths.login
  const [kept, setKept] = useState(() => (isBack && left) || { startKey, draft: draftOf(start) })
  useEffect(() => {
    left = kept
  }, [kept])
  const draft = kept.startKey === startKey ? kept.draft : draftOf(start)
  const change = (changed: Partial<BuyDraft>) =>
    setKept((before) => ({
      startKey,
      draft: { ...(before.startKey === startKey ? before.draft : draftOf(start)), ...changed },
    }))
  // One that is switched off stays until another is chosen: 0.5 of it are not 0.5 of the next one.
  // An id that was never known, as from an old link, stands for the first token.
  const token = tokens.find(({ id }) => id === draft.tokenId) ?? draft.token ?? tokens[0]
  if (token !== undefined && token !== draft.token) change({ token, tokenId: token.id })
  return { draft, change }
}

export type BuyDraftState = ReturnType<typeof useBuyDraft>

function draftOf({ usdText, tokenId }: BuyFormStart): BuyDraft {
  // As if it had been typed: a link may contain 0050.
  const text = acceptAmount(usdText, USD_FIELD_DECIMALS) ?? ''
  return { typed: { field: 'usd', text }, tokenId, isEdited: false, isTouched: false }
}
