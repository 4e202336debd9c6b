import { useEffect, useEffectEvent, useState } from 'react'
import type { Transaction } from '#contract/shapes.ts'
import { formatDecimal, USD_DECIMALS } from '#domain/money.ts'
import { isRefusal, messageOf } from '#web/lib/call-error.ts'
import { useBuyTexts } from '#web/messages/use-buy-texts.ts'
import { toast } from '#web/ui/toast-store.ts'
import { useAttemptKeys } from './attempt-key.ts'
import { useRefreshOffer } from './price-queries.ts'
import { useCreateTransaction } from './transaction-queries.ts'
import type { BuyForm } from './use-buy-form.ts'

interface PayOptions {
  onCreated: (transaction: Transaction) => void
  /** The sale may have moved on: the reason a purchase was, or would be, refused. */
  onRefused: () => void
}

/**
 * Makes the purchase that stands in the form. What was refused stays to be read until the form
 * says something else, as the toast that tells of it is gone after four seconds.
 */
export function usePay({ spent, token, noRoom }: BuyForm, { onCreated, onRefused }: PayOptions) {
  const buy = useBuyTexts()
  const keys = useAttemptKeys()
  const create = useCreateTransaction()
  const [refused, setRefused] = useState<{ content: string; message: string } | null>(null)
  const { refreshMinimums, refreshOffer } = useRefreshOffer()
  const content = `${spent} ${token?.id}`

  const onNoRoom = useEffectEvent(() => {
    onRefused()
    refreshMinimums()
  })
  useEffect(() => {
    if (noRoom !== null) onNoRoom()
  }, [noRoom])

  function onError() {
    onRefused()
    refreshOffer()
  }

  /** Tells how it ended, wherever the buyer is by then. */
  async function pay(order: Parameters<typeof create.mutateAsync>[0]): Promise<void> {
    try {
      // These two are left out where the form is gone.
      await create.mutateAsync(order, { onSuccess: onCreated, onError })
      keys.finish()
      setRefused(null)
      toast.success(buy.created)
    } catch (error) {
      if (isRefusal(error, 'IdempotencyKeyReused')) keys.finish()
      const message = messageOf(error, buy.createFailed)
      setRefused({ content, message })
      toast.error(message)
    }
  }

  return {
    isPending: create.isPending,
    refusal: refused?.content === content && !create.isPending ? refused.message : null,
    start() {
      if (spent === null || token === undefined || create.isPending) return
      void pay({
        amount: Number(formatDecimal(spent, USD_DECIMALS)),
        tokenId: token.id,
        idempotencyKey: keys.keyFor(content),
      })
    },
  }
}
