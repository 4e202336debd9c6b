import { useEffect, useRef } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatTokens } from '#web/lib/format/token-amounts.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Card } from '#web/ui/layout/card.tsx'

interface BoughtProps {
  purchase: Transaction
  symbol: string
  onAgain: () => void
}

/** Replaces a form that has led to a purchase, until the buyer starts another. */
export function Bought({ purchase, symbol, onAgain }: BoughtProps) {
  const { made } = useBuyTexts()
  const { situations } = useTransactionTexts()
  const tokens = `${formatTokens(purchase.tokens.total)} ${symbol}`
  const again = useFocusIfLost()
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p role="status" className="tabular min-w-0 text-20 font-strong wrap-anywhere">
          {purchase.status === 'completed'
            ? made.credited(tokens)
            : purchase.status_reason === 'held'
              ? situations.held()
              : made.confirming}
        </p>
        <Button ref={again} variant="secondary" onClick={onAgain}>
          {made.again}
        </Button>
      </div>
    </Card>
  )
}

/** The button to which the dialog would return the focus is gone with the form. */
function useFocusIfLost() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The dialog gives it back in the next frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) button.current?.focus()
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  return button
}
