import { type FormEvent, type ReactNode, useRef } from 'react'
import { CircleAlert } from 'lucide-react'
import type { Project, Stage, Transaction } from '#contract/shapes.ts'
import { dealFormat } from '#web/features/purchase/deal.ts'
import { formatCoins, formatSpoken } from '#web/lib/format/format.ts'
import { useSecondsLeft } from '#web/lib/use-seconds-left.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { Button } from '#web/ui/actions.tsx'
import { Skeleton } from '#web/ui/feedback/placeholders.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'
import { preloadDialog } from '#web/ui/layout/dialog.tsx'
import { classNames } from '#web/ui/style/class-names.ts'
import { BonusBreakdown } from './bonus-breakdown.tsx'
import { CoinFields, inDollars, SpendField, SpendPresets } from './buy-fields.tsx'
import { PriceText } from './price-text.tsx'
import { nextPricesMs } from './price-queries.ts'
import { mostToSpend } from './spend-limits.ts'
import type { BuyDraftState } from './use-buy-draft.ts'
import { useBuyForm, type BuyForm } from './use-buy-form.ts'
import { usePay } from './use-pay.ts'

interface BuyFormProps {
  project: Project
  stage: Stage
  draft: BuyDraftState
  /** True if the buyer has just asked for the form: the amount gets the focus. */
  takesFocus?: boolean
  /** What to know before paying: what can be lost, when the tokens are released. */
  beforePaying?: ReactNode
  /** Where in the sale the tokens of the purchase are; undefined while there is no deal. */
  renderPlace?: (wanted: Wanted | undefined) => ReactNode
  isInDialog: boolean
  onCreated: (transaction: Transaction) => void
  /** The sale may have moved on, which is why a purchase was, or would be, refused. */
  onRefused: () => void
}

/** The tokens of a deal, and the dollars for them as text. */
interface Wanted {
  tokens: number
  spent: string
}

function wantedOf({ deal }: BuyForm): Wanted | undefined {
  return deal === null ? undefined : { tokens: Number(deal.total), spent: inDollars(deal.spent) }
}

/** Two amounts, one token, one button; and the whole deal beside them. */
export function BuyForm(props: BuyFormProps) {
  const { project, stage, draft, takesFocus = false } = props
  const buy = useBuyTexts()
  const form = useBuyForm(project, stage, draft)
  const pay = usePay(form, props)
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

  // On a phone the button stays within the thumb's reach; on a wide page it comes after the
  // summary.
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
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:grid-rows-[auto_1fr]"
    >
      <Card>
        <SpendField form={form} fieldRef={usdField} takesFocus={takesFocus} />
        <CoinFields form={form} fieldRef={coinField} project={project} stage={stage} />
        <SpendPresets form={form} stage={stage} />
        <div className={classNames('empty:hidden', lookOf(form))}>
          {props.renderPlace?.(wantedOf(form))}
        </div>
      </Card>
      <Card
        title={buy.summary.title}
        aside={<QuoteClock prices={form.prices} />}
        className="lg:sticky lg:top-4 lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <BuySummary form={form} project={project} tokenPrice={stage.token_price} />
        {pay.refusal !== null && <Refusal>{pay.refusal}</Refusal>}
        {props.beforePaying}
        <div className="max-lg:hidden">{payButton}</div>
        <p className="text-14 text-quiet">{buy.payHint}</p>
      </Card>
      <Card>
        <BonusBreakdown form={form} symbol={project.symbol} />
      </Card>
      <div
        data-bottom-bar
        className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-hairline bg-ground px-4 py-3 lg:hidden"
      >
        <InShort form={form} symbol={project.symbol} />
        <div className="min-w-24 flex-1">{payButton}</div>
      </div>
    </form>
  )
}

/** The deal in short, beside the button that is always visible. */
function InShort({ form, symbol }: { form: BuyForm; symbol: string }) {
  const buy = useBuyTexts()
  const { deal, hasNoBonuses } = form
  const atLeast = hasNoBonuses ? buy.summary.atLeast : String
  const spent = deal?.spent ?? form.spent
  if (spent === null) return null
  const usd = inDollars(spent)
  return (
    <p
      data-in-short
      className={classNames(
        'tabular max-w-full leading-tight font-strong wrap-anywhere',
        lookOf(form),
      )}
    >
      {deal === null ? usd : buy.inShort(usd, atLeast(`${formatSpoken(deal.total)} ${symbol}`))}
    </p>
  )
}

/** The toast was already announced, so screen readers do not get it twice. */
function Refusal({ children }: { children: string }) {
  return (
    <p data-refusal className="flex items-start gap-2 rounded-control bg-error/14 p-3 text-14">
      <CircleAlert size={16} className="mt-0.5 shrink-0 text-error" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

/** How long until prices are refetched: 60 seconds to 0, and a notice if they are late. */
function QuoteClock({ prices }: Pick<BuyForm, 'prices'>) {
  const buy = useBuyTexts()
  const seconds = useSecondsLeft(nextPricesMs(prices))
  const isLate = prices.isError || (seconds === 0 && prices.isFetching)
  return (
    <span role="timer" className="tabular text-14 text-quiet">
      {isLate ? buy.summary.quoteUpdating : buy.summary.quote(seconds)}
    </span>
  )
}

interface BuySummaryProps {
  form: BuyForm
  project: Project
  /** Dollars for one token. */
  tokenPrice: number
}

/** A line above the total, as under a column of figures. */
const SUM =
  '[&>:last-child]:mt-1 [&>:last-child]:border-t [&>:last-child]:border-hairline ' +
  '[&>:last-child]:pt-2'

/** Dimmed while it is still the deal of the amount before. */
function lookOf({ isDealCurrent }: BuyForm): string {
  return `transition-opacity ${isDealCurrent ? '' : 'opacity-60'}`
}

/** The whole deal in one sentence, and the calculation behind it. */
function BuySummary({ form, project, tokenPrice }: BuySummaryProps) {
  const buy = useBuyTexts()
  const { symbol } = project
  const { deal, dealCoins, hasNoBonuses, fault, limits, noRoom, token, coinFault } = form
  if (coinFault === 'noPrice' && token !== undefined) {
    return <Instead>{buy.summary.noPrice(token.short_name)}</Instead>
  }
  if (fault === 'tooLittle') {
    return <Instead>{buy.summary.tooLittle(inDollars(limits.min))}</Instead>
  }
  if (fault === 'tooMuch') {
    return <Instead>{buy.summary.tooMuch(inDollars(mostToSpend(limits)))}</Instead>
  }
  if (fault !== null) return <Instead>{buy.summary.unknown}</Instead>
  if (noRoom !== null) return <Instead>{buy.summary.noRoom}</Instead>
  if (deal === null || token === undefined || dealCoins === '') return <SummaryWaiting />
  const format = dealFormat(deal)
  const total = format(deal.total)
  return (
    <div className={classNames('flex flex-col gap-3', lookOf(form))}>
      <p className="text-20 leading-normal">
        {buy.summary.send}
        <Amount isRough>{`${formatCoins(dealCoins)} ${token.short_name}`}</Amount>
        {buy.summary.for}
        <Amount>{`${total} ${symbol}`}</Amount>
      </p>
      <dl className={SUM}>
        <LabelledLine label={buy.summary.price}>
          <PriceText price={tokenPrice} symbol={symbol} />
        </LabelledLine>
        <LabelledLine label={buy.summary.tokens}>{format(deal.base)}</LabelledLine>
        <LabelledLine label={buy.summary.bonus}>
          {hasNoBonuses ? '–' : `+ ${format(deal.bonusTokens)}`}
        </LabelledLine>
        <LabelledLine label={buy.summary.total} isStrong>
          {hasNoBonuses ? buy.summary.atLeast(total) : total}
        </LabelledLine>
      </dl>
      <p data-price-from className="text-14 text-quiet">
        {project.is_sandbox
          ? buy.summary.priceFrom.sandbox
          : token.price_from !== null &&
            buy.summary.priceFrom[token.price_from](token.short_name, project.name)}
        {token.test_network !== null && ` ${buy.summary.testNetwork(token.test_network)}`}
      </p>
    </div>
  )
}

/** As high as the deal, so that the button below does not move. */
function Instead({ children }: { children: string }) {
  return <p className="min-h-[13rem] text-quiet">{children}</p>
}

interface AmountProps {
  /** The exact amount to pay is known only once the purchase is made. */
  isRough?: boolean
  children: string
}

/** The sign is drawn and not part of the sentence, whose words are the specification's. */
function Amount({ isRough = false, children }: AmountProps) {
  return (
    <strong
      className={classNames(
        'tabular font-strong wrap-anywhere',
        isRough && 'before:font-regular before:text-quiet before:content-["≈_"]',
      )}
    >
      {children}
    </strong>
  )
}

function SummaryWaiting() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-15 sm:h-7.5 lg:h-15" />
      <Skeleton className="h-34" />
    </div>
  )
}
