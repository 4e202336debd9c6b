import { useEffect, useState } from 'react'
import { useMessages } from '#web/messages/use-messages.ts'
import { Card } from '#web/ui/card.tsx'
import { Countdown } from '#web/ui/countdown.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useSale } from './queries.ts'
import { turnOf } from './sale-state.ts'

/**
 * The server gets this long to turn to the next stage before it is asked (specification section 2).
 */
const REFETCH_DELAY_MS = 1000

/** How long the stage is still on, or when the sale starts; nothing where no date is announced. */
export function TurnCountdown({ className = '' }: { className?: string }) {
  const { dashboard } = useMessages()
  const { data: sale, refetch, isPending } = useSale()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(() => {
      setOver(false)
      void refetch()
    }, REFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isOver, refetch])

  if (sale === undefined && isPending) return <Skeleton className={`h-34 ${className}`} />
  const until = turnOf(sale)
  if (until === null) return null
  const title = sale?.status === 'ACTIVE' ? dashboard.endsIn(sale.stage.name) : dashboard.startsIn
  return (
    <Card title={title} className={className}>
      <Countdown until={until} label={title} onFinish={() => setOver(true)} />
    </Card>
  )
}
