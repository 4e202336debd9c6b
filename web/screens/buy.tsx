import { type ReactNode, Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { FirstSteps } from '#web/features/account/verification/first-steps.tsx'
import { ReleaseLine } from '#web/features/offer/release-line.tsx'
import { RiskLine } from '#web/features/offer/risk-line.tsx'
import { LadderStrip } from '#web/features/price-ladder/ladder-strip.tsx'
import { useProject } from '#web/features/project/queries.ts'
import { BuyForm } from '#web/features/purchase/buy/buy-form.tsx'
import { PriceText } from '#web/features/purchase/buy/price-text.tsx'
import { type BuyDraftState, useBuyDraft } from '#web/features/purchase/buy/use-buy-draft.ts'
import { isPaid } from '#web/features/purchase/payment-state.ts'
import type { ListFilter } from '#web/features/purchase/transaction-cache.ts'
import { TransactionList } from '#web/features/purchase/transactions/transaction-list.tsx'
import { useTransaction } from '#web/features/purchase/transactions/transaction-queries.ts'
import { useSale, useStages } from '#web/features/stage/queries.ts'
import type { SaleState } from '#web/features/stage/sale-state.ts'
import { TransitionCountdown } from '#web/features/stage/transition-countdown.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { searches, useSearch } from '#web/lib/paths.ts'
import { useSaleText } from '#web/messages/sale-text.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { useUser } from '#web/session/session-context.tsx'
import { ErrorState, Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { useOpenTransaction } from './use-open-transaction.ts'

const PurchaseDialog = lazyComponent(() => import('./purchase-dialog.tsx'), 'PurchaseDialog')
/** It takes the place of the form behind the dialog, so it comes with its code. */
const Bought = lazyComponent(() => import('./purchase-dialog.tsx'), 'Bought')

function preloadDialog() {
  PurchaseDialog.preload()
  Bought.preload()
}

/** Specification section 5. */
const USD_AT_FIRST = '1000'

export function BuyScreen() {
  const messages = useTransactionTexts()
  const buy = useBuyTexts()
  const user = useUser()
  const project = useProject()
  const query = useSale()
  const { data: sale } = query
  const opened = useOpenTransaction()
  const { key, state } = useLocation()
  // It stays what it is when the address is replaced, as by the filter of the list.
  const place: string = state?.place ?? key
  const filter = useListFilter({ ...state, place })
  const { usd_amount: usdText = USD_AT_FIRST, token_id: tokenId = '' } = useSearch(searches.buy)
  const draft = useBuyDraft({ usdText, tokenId }, project?.payment_tokens ?? [])
  // A purchase resets the list to its first page, where the new one is.
  const [purchases, setPurchases] = useState(0)
  // Only where it was made: somebody who comes back here through the menu or a link wants to buy.
  const [made, setMade] = useState<{ id: string; place: string } | null>(null)
  // Once opened it stays mounted, since it returns the focus when it closes.
  const [hasOpened, setOpened] = useState(false)
  if (opened.id !== null && !hasOpened) setOpened(true)
  return (
    // Its code is loaded before a purchase is made.
    <div className="flex flex-col gap-6" onFocus={preloadDialog}>
      {project === undefined || sale === undefined ? (
        <>
          {project !== undefined && (
            <Heading text={query.isError ? null : <SkeletonText characters={32} />}>
              {buy.heading(project.symbol)}
            </Heading>
          )}
          <Waiting query={query} />
        </>
      ) : (
        <Sale
          sale={sale}
          project={project}
          draft={draft}
          madeId={made?.place === place || opened.id !== null ? (made?.id ?? null) : null}
          isInDialog={opened.id !== null}
          onCreated={(id) => {
            setPurchases(purchases + 1)
            setMade({ id, place })
            opened.open(id)
          }}
          onAgain={() => setMade(null)}
          onRefused={() => void query.refetch()}
        />
      )}
      {user !== null && project !== undefined && sale?.status === 'ACTIVE' && (
        <FirstSteps user={user} symbol={project.symbol} purchases="now" isBuyPage />
      )}
      <TransactionList
        key={purchases}
        title={messages.listTitle}
        projectSymbol={project?.symbol ?? ''}
        onOpen={opened.open}
        isSaleOver={sale?.status === 'ENDED'}
        filter={filter}
      />
      {project !== undefined && hasOpened && (
        <Suspense fallback={null}>
          <PurchaseDialog id={opened.id} project={project} onClose={opened.close} />
        </Suspense>
      )}
    </div>
  )
}

interface SaleProps {
  sale: SaleState
  project: NonNullable<ReturnType<typeof useProject>>
  draft: BuyDraftState
  /** The purchase that the form has led to; null before that, and once another is begun. */
  madeId: string | null
  /** True while a dialog is open, behind which nothing may move. */
  isInDialog: boolean
  onCreated: (transactionId: string) => void
  onAgain: () => void
  onRefused: () => void
}

/** The form, or the reason why there is none. */
function Sale(props: SaleProps) {
  const { sale, project } = props
  const buy = useBuyTexts()
  switch (sale.status) {
    case 'ACTIVE':
      return <ActiveSale {...props} stage={sale.stage} />
    case 'ENDED':
      return <Heading text={buy.endedText(project.symbol)}>{buy.ended}</Heading>
    case 'PAUSED':
      return <Heading text={buy.pausedText}>{buy.paused}</Heading>
    case 'NOT_STARTED':
      return (
        <>
          {sale.isBetweenStages ? (
            <Heading text={buy.betweenStagesText}>{buy.betweenStages}</Heading>
          ) : (
            <Heading text={buy.notStartedText}>{buy.notStarted}</Heading>
          )}
          <TransitionCountdown project={project} className="max-w-lg" />
        </>
      )
  }
}

/** The form; once its purchase is paid, a note of that, until the buyer begins another. */
function ActiveSale(
  props: SaleProps & { stage: Extract<SaleState, { status: 'ACTIVE' }>['stage'] },
) {
  const { stage, project, draft, madeId, isInDialog, onCreated, onAgain, onRefused } = props
  const buy = useBuyTexts()
  const saleText = useSaleText(project)
  const { data: stages } = useStages()
  const { data: purchase } = useTransaction(madeId)
  const [isAgain, setAgain] = useState(false)
  return (
    <>
      <Heading
        text={
          <>
            {saleText(stage.name)}: <PriceText price={stage.token_price} symbol={project.symbol} />.
          </>
        }
      >
        {buy.heading(project.symbol)}
      </Heading>
      {isPaid(purchase) && !isInDialog ? (
        <Suspense fallback={null}>
          <Bought
            purchase={purchase}
            symbol={project.symbol}
            onAgain={() => {
              setAgain(true)
              onAgain()
            }}
          />
        </Suspense>
      ) : (
        <BuyForm
          project={project}
          stage={stage}
          draft={draft}
          takesFocus={isAgain}
          isInDialog={isInDialog}
          beforePaying={
            <div className="flex flex-col gap-1 text-14 text-quiet empty:hidden">
              <RiskLine project={project} />
              <ReleaseLine
                project={project}
                schedule={stages?.find(({ id }) => id === stage.id)?.vesting ?? null}
              />
            </div>
          }
          renderPlace={(wanted) =>
            stages !== undefined && (
              <LadderStrip
                stages={stages.map((stage) => ({ ...stage, name: saleText(stage.name) }))}
                symbol={project.symbol}
                wanted={wanted}
              />
            )
          }
          onCreated={({ id }) => {
            setAgain(false)
            onCreated(id)
          }}
          onRefused={onRefused}
        />
      )}
    </>
  )
}

function Heading({ children, text }: { children: ReactNode; text: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <PageHeading>{children}</PageHeading>
      <p className="max-w-prose text-quiet">{text}</p>
    </div>
  )
}

function Waiting({ query }: { query: ReturnType<typeof useSale> }) {
  const { ui } = useMessages()
  const buy = useBuyTexts()
  if (query.isError) {
    return (
      <ErrorState title={buy.failed} query={query}>
        {buy.failedText}
      </ErrorState>
    )
  }
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">{ui.loading}</span>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Skeleton className="h-140" />
        <Skeleton className="h-90" />
      </div>
    </div>
  )
}

function useListFilter(kept: object) {
  const { state } = useSearch(searches.buy)
  const [, setSearch] = useSearchParams()
  const value: ListFilter = state ?? 'all'
  return {
    value,
    onChange(next: ListFilter) {
      setSearch(
        (before) => {
          const search = new URLSearchParams(before)
          if (next === 'all') search.delete('state')
          else search.set('state', next)
          return search
        },
        { replace: true, preventScrollReset: true, state: kept },
      )
    },
  }
}
