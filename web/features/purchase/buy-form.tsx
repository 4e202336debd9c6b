import { type FormEvent, type RefObject, useRef } from 'react'
import type { Project, Stage, StageBonuses, Transaction } from '#contract/shapes.ts'
import { formatDecimal, USD_DECIMALS, type Usd } from '#domain/money.ts'
import { isRefusal, messageOf } from '#web/lib/call-error.ts'
import { formatUsd } from '#web/lib/format.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { preloadDialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { AmountPresets } from './amount-presets.tsx'
import { useAttemptKeys } from './attempt-key.ts'
import { BonusBreakdown } from './bonus-breakdown.tsx'
import { CRYPTO_FIELD_DECIMALS, USD_FIELD_DECIMALS } from './buy-amounts.ts'
import { BuySummary, QuoteClock } from './buy-summary.tsx'
import { TokenPicker } from './token-picker.tsx'
import { useCreateTransaction } from './transaction-queries.ts'
import { type BuyForm as BuyFormState, type BuyFormStart, useBuyForm } from './use-buy-form.ts'

interface BuyFormProps {
  project: Project
  stage: Stage
  start: BuyFormStart
  onCreated: (transaction: Transaction) => void
  /** The sale may have moved on: the reason a purchase was refused. */
  onRefused: () => void
}

/** Two amounts, one token, one button; beside them the whole deal. */
export function BuyForm({ project, stage, start, onCreated, onRefused }: BuyFormProps) {
  const { buy } = useMessages()
  const form = useBuyForm(project, stage, start)
  const pay = usePay(form, onCreated, onRefused)
  const usdField = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    form.touch()
    if (form.fault !== null) usdField.current?.focus()
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
        <SpendField form={form} fieldRef={usdField} tiers={stage.bonuses.tiered_fiat} />
        <CoinFields form={form} project={project} stage={stage} />
        <BonusBreakdown form={form} symbol={project.symbol} />
      </Card>
      <Card
        title={buy.summary.title}
        aside={<QuoteClock updatedAtMs={form.prices.dataUpdatedAt} />}
        className="lg:sticky lg:top-4"
      >
        <BuySummary form={form} symbol={project.symbol} tokenPrice={stage.token_price} />
        <div className="max-lg:hidden">{payButton}</div>
        <p className="text-14 text-quiet">{buy.payHint}</p>
      </Card>
      <div
        data-bottom-bar
        className="sticky bottom-0 z-10 -mx-4 flex items-center gap-4 border-t border-hairline bg-ground px-4 py-3 lg:hidden"
      >
        {form.spent !== null && (
          <span className="tabular text-20 font-strong">{formatUsd(usdText(form.spent))}</span>
        )}
        {payButton}
      </div>
    </form>
  )
}

interface SpendFieldProps {
  form: BuyFormState
  fieldRef: RefObject<HTMLInputElement | null>
  tiers: StageBonuses['tiered_fiat']
}

function SpendField({ form, fieldRef, tiers }: SpendFieldProps) {
  const { buy } = useMessages()
  const faultText = useFaultText(form)
  return (
    <div className="flex flex-col gap-2">
      <AmountField
        ref={fieldRef}
        name="usd_amount"
        label={buy.spend}
        prefix="$"
        suffix={<span className="pr-3 text-14">USD</span>}
        decimals={USD_FIELD_DECIMALS}
        value={form.amounts.usdText}
        onChange={(event) => form.typeUsd(event.currentTarget.value)}
        onBlur={form.touch}
        labelAside={<LimitsHint form={form} />}
        hint={form.limits?.isLastRemainder ? buy.lastRemainder : undefined}
        error={faultText}
        className="text-20 font-medium"
      />
      <AmountPresets tiers={tiers} value={form.amounts.usdText} onChoose={form.typeUsd} />
    </div>
  )
}

interface CoinFieldsProps {
  form: BuyFormState
  project: Project
  stage: Stage
}

function CoinFields({ form, project, stage }: CoinFieldsProps) {
  const { buy } = useMessages()
  const symbol = form.token?.short_name ?? ''
  return (
    <div className="grid gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <AmountField
        name="token_amount"
        label={buy.buyWith}
        suffix={<span className="pr-3 text-14">{symbol}</span>}
        decimals={CRYPTO_FIELD_DECIMALS}
        value={form.amounts.cryptoText}
        onChange={(event) => form.typeCrypto(event.currentTarget.value)}
        onBlur={form.touch}
        error={form.hasNoPrice ? buy.noPrice(symbol) : undefined}
        className="text-20 font-medium"
      />
      <TokenPicker
        label={buy.token}
        tokens={project.payment_tokens}
        bonuses={stage.bonuses.payment_tokens}
        value={form.token?.id ?? null}
        onChange={form.chooseToken}
      />
    </div>
  )
}

function usePay(
  form: BuyFormState,
  onCreated: (transaction: Transaction) => void,
  onRefused: () => void,
) {
  const { buy } = useMessages()
  const keys = useAttemptKeys()
  const create = useCreateTransaction()
  return {
    isPending: create.isPending,
    start() {
      const { spent, token } = form
      if (spent === null || token === undefined || create.isPending) return
      const order = {
        amount: Number(usdText(spent)),
        tokenId: token.id,
        idempotencyKey: keys.keyFor(`${spent} ${token.id}`),
      }
      create.mutate(order, {
        onSuccess: (transaction) => {
          keys.finish()
          toast.success(buy.created)
          onCreated(transaction)
        },
        onError: (error) => {
          if (isRefusal(error, 'IdempotencyKeyReused')) keys.finish()
          toast.error(messageOf(error, buy.createFailed))
          onRefused()
        },
      })
    },
  }
}

function usdText(amount: Usd): string {
  return formatDecimal(amount, USD_DECIMALS)
}

function useFaultText({ shownFault, limits }: BuyFormState): string | undefined {
  const { buy } = useMessages()
  if (shownFault === null) return undefined
  if (shownFault === 'empty' || limits === null) return buy.empty
  const { min, max } = limits
  return shownFault === 'tooLittle'
    ? buy.tooLittle(formatUsd(usdText(min)))
    : buy.tooMuch(formatUsd(usdText(max ?? min)))
}

function LimitsHint({ form: { limits } }: { form: BuyFormState }) {
  const { buy } = useMessages()
  if (limits === null) return null
  const min = formatUsd(usdText(limits.min))
  const max = limits.max === null ? null : formatUsd(usdText(limits.max))
  return <span className="text-14 text-quiet">{buy.limits(min, max)}</span>
}
