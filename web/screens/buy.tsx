import { type ReactNode, useState } from 'react'
import { useProject } from '#web/features/project/queries.ts'
import { BuyForm } from '#web/features/purchase/buy/buy-form.tsx'
import { type BuyDraftState, useBuyDraft } from '#web/features/purchase/buy/use-buy-draft.ts'
import { TransactionList } from '#web/features/purchase/transactions/transaction-list.tsx'
import { useSale } from '#web/features/stage/queries.ts'
import type { SaleState } from '#web/features/stage/sale-state.ts'
import { TransitionCountdown } from '#web/features/stage/transition-countdown.tsx'
import { formatPrice } from '#web/lib/format/format.ts'
import { searches } from '#web/lib/paths.ts'
import { useSearch } from '#web/lib/use-search.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { useTransactionTexts } from '#web/messages/use-transaction-texts.ts'
import { ErrorState, Skeleton, SkeletonText } from '#web/ui/feedback/placeholders.tsx'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { PurchaseDialog } from './purchase-dialog.tsx'
import { useOpenTransaction } from './use-open-transaction.ts'

/** Specification section 5. */
const USD_AT_FIRST = '1000'

export function BuyScreen() {
  const messages = useTransactionTexts()
  const buy = useBuyTexts()
  const project = useProject()
  const { data: sale, isError, refetch } = useSale()
  const opened = useOpenTransaction()
  const { usd_amount: usdText = USD_AT_FIRST, token_id: tokenId = '' } = useSearch(searches.buy)
  const draft = useBuyDraft({ usdText, tokenId })
  // A purchase puts the list back to its first page, where the new one stands.
  const [purchases, setPurchases] = useState(0)
  return (
    <div className="flex flex-col gap-6">
      {project === undefined || sale === undefined ? (
        <>
          {project !== undefined && (
            <Heading text={isError ? null : <SkeletonText characters={32} />}>
              {buy.heading(project.symbol)}
            </Heading>
          )}
          <Waiting isFailed={isError} onRetry={() => void refetch()} />
        </>
      ) : (
        <Sale
          sale={sale}
          project={project}
          draft={draft}
          onCreated={(id) => {
            setPurchases(purchases + 1)
            opened.open(id)
          }}
          onRefused={() => void refetch()}
        />
      )}
      <TransactionList
        key={purchases}
        title={messages.listTitle}
        projectSymbol={project?.symbol ?? ''}
        onOpen={opened.open}
        isSaleOver={sale?.status === 'ENDED'}
      />
      {project !== undefined && (
        <PurchaseDialog id={opened.id} project={project} onClose={opened.close} />
      )}
    </div>
  )
}

interface SaleProps {
  sale: SaleState
  project: NonNullable<ReturnType<typeof useProject>>
  draft: BuyDraftState
  onCreated: (transactionId: string) => void
  onRefused: () => void
}

/** The form, or why there is none. */
function Sale({ sale, project, draft, onCreated, onRefused }: SaleProps) {
  const buy = useBuyTexts()
  switch (sale.status) {
    case 'ACTIVE': {
      const { name, token_price: price } = sale.stage
      return (
        <>
          <Heading text={buy.intro(name, formatPrice(price), project.symbol)}>
            {buy.heading(project.symbol)}
          </Heading>
          <BuyForm
            project={project}
            stage={sale.stage}
            draft={draft}
            onCreated={({ id }) => onCreated(id)}
            onRefused={onRefused}
          />
        </>
      )
    }
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
          <TransitionCountdown className="max-w-lg" />
        </>
      )
  }
}

function Heading({ children, text }: { children: ReactNode; text: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <PageHeading>{children}</PageHeading>
      <p className="max-w-prose text-quiet">{text}</p>
    </div>
  )
}

function Waiting({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  const { ui } = useMessages()
  const buy = useBuyTexts()
  if (isFailed) {
    return (
      <ErrorState title={buy.failed} onRetry={onRetry}>
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
