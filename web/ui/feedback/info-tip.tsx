import { Suspense } from 'react'
import { Info } from 'lucide-react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import type { InfoTipProps } from './info-tip-trigger.tsx'

const InfoTipTrigger = lazyComponent(
  async () => (await import('./info-tip-trigger.tsx')).InfoTipTrigger,
)

/** An info button whose explanation shows on hover, focus and tap. */
export function InfoTip(props: InfoTipProps) {
  const waiting = (
    <span className="inline-flex size-6 items-center justify-center text-quiet">
      <Info size={16} aria-hidden="true" />
    </span>
  )
  return (
    <Suspense fallback={waiting}>
      <InfoTipTrigger {...props} />
    </Suspense>
  )
}
