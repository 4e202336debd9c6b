import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
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
export function useBuyDraft(start: BuyFormStart) {
  const startKey = `${useUser()?.id} ${start.usdText} ${start.tokenId}`
  const isBack = useLocation().state?.insteadOf === paths.login
  const [kept, setKept] = useState(() => (isBack && left) || { startKey, draft: draftOf(start) })
  useEffect(() => {
    left = kept
  }, [kept])
  const draft = kept.startKey === startKey ? kept.draft : draftOf(start)
  return {
    draft,
    change: (change: Partial<BuyDraft>) =>
      setKept((before) => ({
        startKey,
        draft: { ...(before.startKey === startKey ? before.draft : draftOf(start)), ...change },
      })),
  }
}

export type BuyDraftState = ReturnType<typeof useBuyDraft>

function draftOf({ usdText, tokenId }: BuyFormStart): BuyDraft {
  // As if it had been typed: a link may contain 0050.
  const text = acceptAmount(usdText, USD_FIELD_DECIMALS) ?? ''
  return { typed: { field: 'usd', text }, tokenId, isEdited: false, isTouched: false }
}
