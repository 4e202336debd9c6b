import type { Deliveries } from '#contract/delivery/deliveries.ts'
import { formatExact, formatNumber } from '#web/lib/format/format.ts'
import { paths, WALLET_SECTION } from '#web/lib/paths.ts'
import { useDeliveryTexts } from '#web/messages/use-delivery-texts.ts'
import { LinkButton, TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { ErrorState } from '#web/ui/feedback/placeholders.tsx'
import { ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { useDeliveries } from './delivery-queries.ts'
import { DeliveryPart } from './delivery-part.tsx'

interface DeliveryCardProps {
  symbol: string
  deliveries: ReturnType<typeof useDeliveries>
}

/**
 * Where the buyer's tokens are: what waits, and each part that was handed out. Nothing until that
 * is known, or if there is nothing to deliver.
 */
export function DeliveryCard({ symbol, deliveries: asked }: DeliveryCardProps) {
  const texts = useDeliveryTexts()
  const { data } = asked
  if (data === undefined) {
    if (!asked.isError) return null
    return (
      <Card title={texts.title}>
        <ErrorState title={texts.failed} query={asked} />
      </Card>
    )
  }
  const { delivery, waiting, deliveries } = data
  // Until something is handed out, buyers without a wallet are asked for one elsewhere on the page.
  const isAsked = waiting?.state === 'unassigned' && !waiting.is_frozen
  const isEmpty = deliveries.length === 0 && (waiting === null || isAsked)
  if (delivery === null || isEmpty) return null
  const isListClosed = deliveries.length > 0 || waiting?.is_frozen === true
  return (
    <Card
      title={texts.title}
      aside={
        isListClosed && (
          <TextLink to={paths.proof} className="relative after:absolute after:-inset-2.5">
            {texts.proof}
          </TextLink>
        )
      }
    >
      <ul className="flex flex-col divide-y divide-hairline" data-delivery>
        {deliveries.map((part) => (
          <li key={part.distribution_id} className="py-4 first:pt-0 last:pb-0">
            <DeliveryPart part={part} symbol={symbol} isOneOfMany={deliveries.length > 1} />
          </li>
        ))}
        {waiting !== null && (
          <li className="py-4 first:pt-0 last:pb-0">
            <WaitingPart waiting={waiting} symbol={symbol} />
          </li>
        )}
      </ul>
    </Card>
  )
}

interface WaitingPartProps {
  waiting: NonNullable<Deliveries['waiting']>
  symbol: string
}

/**
 * What no distribution has handed out yet: whether there is a wallet for it, and what comes next.
 */
function WaitingPart({ waiting, symbol }: WaitingPartProps) {
  const texts = useDeliveryTexts()
  const { state, wallet, is_frozen: isFrozen } = waiting
  const isMissing = state === 'unassigned'
  const tokens = `${formatNumber(waiting.tokens)} ${symbol}`
  return (
    <div className="flex min-w-0 flex-col gap-4" data-state={state}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="tabular font-medium" title={formatExact(waiting.tokens)}>
          {texts.waiting(tokens)}
        </p>
        <Chip tone={isMissing ? 'warning' : 'info'}>{texts.states[state]}</Chip>
      </div>
      <ProgressSteps
        label={texts.steps(tokens)}
        steps={[
          {
            label: texts.wallet,
            state: isMissing ? 'current' : 'done',
            // Nothing happens here until the buyer does something.
            ...(isMissing && { mark: '1' }),
            detail: wallet === null ? missing() : <AddressText value={wallet} />,
          },
          { label: texts.handedOut, state: 'waiting', ...(!isMissing && { detail: handedOut() }) },
          { label: texts.deliveredStep, state: 'waiting' },
        ]}
      />
      {isMissing && (
        <LinkButton to={`${paths.account}#${WALLET_SECTION}`} className="self-start">
          {texts.chooseWallet}
        </LinkButton>
      )}
    </div>
  )

  function handedOut() {
    if (!isFrozen) return texts.notHandedOut
    return waiting.is_listed ? texts.frozen : texts.frozenWithout
  }

  function missing() {
    return isFrozen ? texts.walletMissingFrozen : texts.walletMissing
  }
}
