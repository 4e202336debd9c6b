import type { ReactNode } from 'react'
import type { Delivery } from '#contract/delivery/deliveries.ts'
import { toolTraits } from '#domain/delivery/tools.ts'
import { parseDecimal } from '#domain/money.ts'
import { formatDate, formatExact, formatNumber } from '#web/lib/format/format.ts'
import { paths, WALLET_SECTION } from '#web/lib/paths.ts'
import { useNowMs } from '#web/lib/use-now.ts'
import { useDeliveryTexts } from '#web/messages/use-delivery-texts.ts'
import { ExternalLink, LinkButton } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Chip } from '#web/ui/feedback/chip.tsx'
import { type ProgressStep, ProgressSteps } from '#web/ui/feedback/progress-steps.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import type { Tone } from '#web/ui/style/tone.tsx'
import { ClaimByWallet } from './claim-by-wallet.tsx'

interface DeliveryPartProps {
  part: Delivery
  symbol: string
  /** Whether it is one of several, so that a delivered one takes little room. */
  isOneOfMany: boolean
}

/** The buyer's part of one distribution: how far it has come, and how to claim it. */
export function DeliveryPart({ part, symbol, isOneOfMany }: DeliveryPartProps) {
  const texts = usePartTexts(part)
  const nowMs = useNowMs() ?? 0
  const tokens = `${formatNumber(part.tokens)} ${symbol}`
  const chip = stateChip(part, texts, nowMs)
  const steps = useSteps(part)
  const last = part.transfers.at(-1)
  const inWallet = (amount: string) => `${formatExact(amount)} ${symbol}`
  const { state, wallet_amount: whole, wallet_arrived: arrived } = part
  const isShort = part.transfers.length > 0 && isLess(arrived, whole)
  const isShared = isLess(part.tokens, whole)
  return (
    <div className="flex min-w-0 flex-col gap-4" data-state={state}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="tabular font-medium" title={formatExact(part.tokens)}>
          {tokens}
        </p>
        <Chip tone={chip.tone}>{chip.text}</Chip>
      </div>
      {isOneOfMany && state === 'delivered' ? (
        <div className="flex min-w-0 flex-col gap-1 text-14 text-quiet">
          {last !== undefined && <p>{texts.deliveredOn(formatDate(last.date))}</p>}
          <Transfers part={part} />
        </div>
      ) : (
        <ProgressSteps label={texts.steps(tokens)} steps={steps} />
      )}
      {isShared && <p className="text-14 text-quiet">{texts.shared(inWallet(whole))}</p>}
      {isShort && (
        <Banner tone="warning" isSmall>
          {texts.short(inWallet(arrived), inWallet(whole))}
        </Banner>
      )}
      {state === 'swept' && (
        <Banner tone="warning" isSmall>
          {texts.sweptText}
        </Banner>
      )}
      {state === 'published' && part.is_to_claim && !isExpired(part, nowMs) && (
        <ClaimPart part={part} />
      )}
      {state === 'delivered' && isStream(part) && <StreamPart part={part} />}
    </div>
  )
}

/** Where the tokens of a stream are withdrawn, and what that may cost. */
function StreamPart({ part: { claim_url: url } }: { part: Delivery }) {
  const { stream: texts } = useDeliveryTexts()
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      <p className="text-14 text-quiet">{texts.fee}</p>
      {url !== null && <ExternalLink href={url}>{texts.page}</ExternalLink>}
    </div>
  )
}

function useSteps(part: Delivery): ProgressStep[] {
  const texts = usePartTexts(part)
  const nowMs = useNowMs() ?? 0
  const { state, is_to_claim: isToClaim, expires_date: expires } = part
  const isOver = state === 'swept' || isExpired(part, nowMs)
  const isSeen = state === 'claimed' || state === 'delivered'
  const last = part.transfers.at(-1)
  const waiting = (
    <>
      {isToClaim ? texts.claimWait : texts.sendWait}
      {isToClaim && expires !== null && ` ${texts.claimBefore(formatDate(expires))}`}
    </>
  )
  // Some is taken back before that, which the banner says.
  const missed =
    expires !== null && isPast(expires, nowMs) ? texts.claimOver(formatDate(expires)) : undefined
  return [
    { label: texts.wallet, state: 'done', detail: <AddressText value={part.wallet} /> },
    { label: texts.handedOut, state: 'done' },
    {
      label: isToClaim ? texts.claimStep : texts.sendStep,
      state: isSeen ? 'done' : isOver ? 'failed' : 'current',
      // Nothing happens until the buyer does something.
      ...(!isSeen && !isOver && isToClaim && { mark: '3' }),
      detail: isSeen ? <Transfers part={part} /> : isOver ? missed : waiting,
    },
    {
      label: texts.deliveredStep,
      state: state === 'delivered' ? 'done' : state === 'claimed' ? 'current' : 'waiting',
      ...(last !== undefined && {
        detail:
          state === 'delivered'
            ? texts.deliveredOn(formatDate(last.date))
            : texts.confirmations(last.confirmations, last.required_confirmations),
      }),
    },
  ]
}

/** The transactions that brought the tokens, each with where they went if that is elsewhere. */
function Transfers({ part }: { part: Delivery }): ReactNode {
  const texts = usePartTexts(part)
  return part.transfers.map(({ transaction_hash: hash, explorer_url: url, receiver }) => (
    <span key={`${hash} ${receiver}`} className="flex min-w-0 flex-col">
      {url === null ? (
        <AddressText value={hash} />
      ) : (
        <ExternalLink href={url} title={hash} className="self-start">
          {texts.transaction} {shortOf(hash)}
        </ExternalLink>
      )}
      {receiver.toLowerCase() !== part.wallet.toLowerCase() && (
        <span className="break-words">{texts.elsewhere(receiver)}</span>
      )}
    </span>
  ))
}

/** How to claim: with a wallet in this browser, on the tool's page, or with the proof. */
function ClaimPart({ part }: { part: Delivery }) {
  const texts = useDeliveryTexts()
  const { claim, claim_url: url } = part
  const isHere = part.tool === 'uniswap' && claim !== null
  const byHand = claim === null || isHere || url !== null ? null : JSON.stringify(claim)
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      {part.is_withheld && (
        <>
          <p className="text-14">{texts.signFirst(shortOf(part.wallet))}</p>
          <LinkButton to={`${paths.account}#${WALLET_SECTION}`}>{texts.sign}</LinkButton>
        </>
      )}
      {isHere && (
        <>
          <p className="text-14 text-quiet">{texts.claimHint(shortOf(part.wallet))}</p>
          <ClaimByWallet distributionId={part.distribution_id} order={claim} />
        </>
      )}
      {url !== null && <ExternalLink href={url}>{texts.claimPage}</ExternalLink>}
      {byHand !== null && (
        <CopyField label={texts.claimByHand} value={byHand}>
          <span className="font-mono text-14 break-words">{byHand}</span>
        </CopyField>
      )}
    </div>
  )
}

/** Compares amounts exactly; no token has more decimals. */
function isLess(one: string, other: string): boolean {
  const [a, b] = [one, other].map((amount) => parseDecimal(amount, 36) ?? 0n)
  return a !== undefined && b !== undefined && a < b
}

/** `0x1234…abcd`: both ends, as people compare them, on one line by word joiners. */
function shortOf(address: string): string {
  return `${address.slice(0, 6)}\u2060…\u2060${address.slice(-4)}`
}

type Texts = ReturnType<typeof useDeliveryTexts>

/** Whether the claim gives a stream, from which the tokens are withdrawn as they vest. */
export const isStream = ({ tool }: Delivery): boolean => toolTraits[tool].releases

/** The texts that are true for a part: a stream that has begun has delivered nothing yet. */
function usePartTexts(part: Delivery): Texts {
  const texts = useDeliveryTexts()
  const { stream, states } = texts
  if (isStream(part)) {
    return { ...texts, ...stream, states: { ...states, delivered: stream.delivered } }
  }
  return part.tool === 'uniswap' ? texts : { ...texts, claimWait: texts.claimWaitElsewhere }
}

/** Whether the time to claim it is over, though nobody has taken it back yet. */
function isExpired({ state, expires_date: expires }: Delivery, nowMs: number): boolean {
  return state === 'published' && expires !== null && isPast(expires, nowMs)
}

const isPast = (date: string, nowMs: number) => Date.parse(date) <= nowMs

/** The word for the state of a part, and its tone. */
function stateChip(part: Delivery, texts: Texts, nowMs: number): { tone: Tone; text: string } {
  if (isExpired(part, nowMs)) return { tone: 'warning', text: texts.expired }
  if (part.state === 'published' && part.is_to_claim) return { tone: 'info', text: texts.toClaim }
  return { tone: tones[part.state], text: texts.states[part.state] }
}

const tones: Record<Delivery['state'], Tone> = {
  unassigned: 'warning',
  assigned: 'info',
  published: 'info',
  claimed: 'info',
  delivered: 'success',
  swept: 'warning',
}
