import { type FormEvent, useRef } from 'react'
import { CircleAlert } from 'lucide-react'
import type { Project, Stage, Transaction } from '#contract/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import { formatUsdExact } from '#web/lib/format/format.ts'
import { useBuyTexts } from '#web/messages/en/buy.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { preloadDialog } from '#web/ui/layout/dialog.tsx'
import { BonusBreakdown } from './bonus-breakdown.tsx'
import { CoinFields, SpendField } from './buy-fields.tsx'
import { BuySummary, QuoteClock } from './buy-summary.tsx'
import type { BuyDraftState } from './use-buy-draft.ts'
import { useBuyForm } from './use-buy-form.ts'
import { usePay } from './use-pay.ts'

interface BuyFormProps {
  project: Project
  stage: Stage
  draft: BuyDraftState
  onCreated: (transaction: Transaction) => void
  /** The sale may have moved on: the reason a purchase was, or would be, refused. */
  onRefused: () => void
}

/** Two amounts, one token, one button; beside them the whole deal. */
export function BuyForm({ project, stage, draft, onCreated, onRefused }: BuyFormProps) {
  const buy = useBuyTexts()
  const form = useBuyForm(project, stage, draft)
  const pay = usePay(form, { onCreated, onRefused })
  const usdField = useRef<HTMLInputElement>(null)
  const coinField = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    form.touch()
    // The field with the error, which says what is missing.
    if (form.coinFault !== null) coinField.current?.focus()
    else if (form.fault !== null) usdField.current?.focus()
    else pay.start()
  }

  // On a phone the button stays within the thumb's reach; on a wide page it ends the summary.
  const payButton = (
    <Button
      type="submit"
      isFullWidth
      isBusy={pay.isPending}
      onPointerEnter={preloadDialog}
      onFocus={preloadDialog}
    >
      {buy.pay}
    </Button>
  )
  return (
    <form
      noValidate
      aria-label={buy.form}
      onSubmit={submit}
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]"
    >
      <Card>
        <SpendField form={form} stage={stage} fieldRef={usdField} />
        <CoinFields form={form} fieldRef={coinField} project={project} stage={stage} />
        <BonusBreakdown form={form} symbol={project.symbol} />
      </Card>
      <Card
        title={buy.summary.title}
        aside={<QuoteClock prices={form.prices} />}
        className="lg:sticky lg:top-4"
      >
        <BuySummary form={form} symbol={project.symbol} tokenPrice={stage.token_price} />
        {pay.refusal !== null && <Refusal>{pay.refusal}</Refusal>}
        <div className="max-lg:hidden">{payButton}</div>
        <p className="text-14 text-quiet">{buy.payHint}</p>
      </Card>
      <div
        data-bottom-bar
        className="sticky bottom-0 z-10 -mx-4 flex items-center gap-4 border-t border-hairline bg-ground px-4 py-3 lg:hidden"
      >
        {form.spent !== null && (
          <span className="tabular max-w-3/5 shrink-0 truncate text-20 font-strong">
            {formatUsdExact(formatDecimal(form.spent, USD_DECIMALS))}
          </span>
        )}
        {payButton}
      </div>
    </form>
  )
}

/** The toast has told it already, so it is not told to screen readers once more. */
function Refusal({ children }: { children: string }) {
  return (
    <p data-refusal className="flex items-start gap-2 rounded-control bg-error/14 p-3 text-14">
      <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-error" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
