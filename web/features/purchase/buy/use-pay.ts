import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import {
  type PurchaseOrder,
  useCreateTransaction,
} from '#web/features/purchase/transactions/transaction-queries.ts'
import { isLost } from '#web/features/purchase/transactions/transaction-text.ts'
import { CallError, isRefusal, messageOf } from '#web/lib/api/call.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { isBoundRefusal, useRefreshOffer } from './price-queries.ts'
import type { BuyForm } from './use-buy-form.ts'

interface Refused {
  /** What was typed and not what follows from it, which moves with the price. */
  content: string
  message: string
  /**
   * Whether the form may have a newer message than the refusal. `amount`: it was too small, or more
   * than is left. `bound`: too much is reserved and not paid, which each preview of the amount
   * checks again.
   */
  kind: 'amount' | 'bound' | 'other'
  /** By this device's clock, in milliseconds. */
  at: number
}

function kindOf(error: unknown): Refused['kind'] {
  if (isBoundRefusal(error)) return 'bound'
  const isOfAmount = isRefusal(error, 'BelowMinimum') || isRefusal(error, 'NoTokensLeft')
  return isOfAmount ? 'amount' : 'other'
}

interface PayOptions {
  /** True while a purchase is shown, or its dialog's code is fetched. */
  isInDialog: boolean
  onCreated: (transaction: Transaction) => void
  /** The sale may have moved on, which is why a purchase was, or would be, refused. */
  onRefused: () => void
}

/**
 * Makes the purchase in the form. A refusal stays on the page until the form changes, since its
 * toast disappears after four seconds. The form may itself have a newer message about the amount,
 * and two messages must not contradict each other.
 */
export function usePay(form: BuyForm, { isInDialog, onCreated, onRefused }: PayOptions) {
  const { typed, spent, token, noRoom, fault, previewedAt } = form
  const buy = useBuyTexts()
  const [attempts] = useState(createAttempts)
  const create = useCreateTransaction()
  // Unlike the mutation's own state, it lasts until the dialog of the purchase opens: a second
  // press before that would be another purchase.
  const [isPending, setPending] = useState(false)
  const [refused, setRefused] = useState<Refused | null>(null)
  const { refreshMinimums, refreshOffer } = useRefreshOffer()
  const content = `${typed.field} ${typed.text} ${token?.id}`

  const onNoRoom = useEffectEvent(() => {
    onRefused()
    refreshMinimums()
  })
  useEffect(() => {
    if (noRoom !== null) onNoRoom()
  }, [noRoom])

  function onSuccess(made: Transaction) {
    if (!isLost(made)) onCreated(made)
  }
  function onError() {
    onRefused()
    refreshOffer()
  }

  /** Reports the result on whichever page the buyer is by then. */
  async function pay(wanted: Wanted): Promise<void> {
    setPending(true)
    const send = () =>
      // These two are skipped if the form is gone.
      create.mutateAsync(attempts.orderFor(content, wanted), { onSuccess, onError })
    try {
      const made = await send()
      attempts.finish()
      // The purchase of an earlier attempt, which has ended since.
      if (isLost(made)) await send()
      attempts.finish()
      setRefused(null)
      toast.success(buy.created)
    } catch (error) {
      if (isAnswer(error)) attempts.finish()
      const message = messageOf(error, buy.createFailed)
      setRefused({ content, message, kind: kindOf(error), at: Date.now() })
      toast.error(message)
    } finally {
      // Along with the address, which opens the dialog: the router changes it in a transition.
      startTransition(() => setPending(false))
    }
  }

  function isCurrent({ kind, message, at, ...of }: Refused): boolean {
    if (of.content !== content || isPending) return false
    if (kind === 'other') return true
    if (fault !== null) return false
    if (noRoom !== null) return noRoom === message
    return kind === 'amount' || previewedAt <= at
  }

  return {
    isPending,
    refusal: refused !== null && isCurrent(refused) ? refused.message : null,
    start() {
      if (spent === null || token === undefined || isPending || isInDialog) return
      void pay({ amount: Number(formatDecimal(spent, USD_DECIMALS)), tokenId: token.id })
    },
  }
}

type Wanted = Omit<PurchaseOrder, 'idempotencyKey'>

/** Refusals that are given only once it is clear that no purchase was made with the key before. */
function isAnswer(error: unknown): boolean {
  const isAboutPrice = isRefusal(error, 'PriceStale') || isRefusal(error, 'RailUnavailable')
  return isAboutPrice || (error instanceof CallError && (error.code === 400 || error.code === 409))
}

interface Attempts {
  /**
   * The order for the form's content: the very same for a retry, since the server compares it with
   * what it got before; with a new key for other content, or once its price has moved by more than
   * one percent, as nobody is to buy for other dollars than the form shows.
   */
  orderFor: (content: string, wanted: Wanted) => PurchaseOrder
  /**
   * The attempt succeeded or cannot be repeated: from now on the same content is a new purchase.
   */
  finish: () => void
}

/** Orders that let the server recognise a purchase that is sent again after a lost answer. */
export function createAttempts(): Attempts {
  let attempt: { content: string; order: PurchaseOrder } | null = null
  return {
    orderFor(content, wanted) {
      const moved = Math.abs((attempt?.order.amount ?? 0) - wanted.amount)
      if (attempt?.content !== content || moved > wanted.amount / 100) {
        attempt = { content, order: { ...wanted, idempotencyKey: randomKey() } }
      }
      return attempt.order
    },
    finish() {
      attempt = null
    },
  }
}

/** `crypto.randomUUID` is missing on plain http outside localhost; this is not. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
