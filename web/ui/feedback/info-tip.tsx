import { useRef, useState } from 'react'
import { Info } from 'lucide-react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { toast } from './toast-store.ts'
import { type InfoTipProps, infoTipLook } from './tip-look.ts'

const InfoTipTrigger = lazyComponent(() => import('./info-tip-trigger.tsx'), 'InfoTipTrigger')

/**
 * An info button whose explanation shows on hover, focus and tap; its code is fetched by then. If
 * that fails, the button stays, and a tap says so.
 */
export function InfoTip(props: InfoTipProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { layout } = useMessages()
  const [shown, setShown] = useState<{ hasFocus: boolean; isOpen: boolean } | null>(null)
  if (shown !== null) return <InfoTipTrigger {...props} {...shown} />
  async function show({ isAsked = false } = {}) {
    if (!(await InfoTipTrigger.load())) {
      if (isAsked) toast.error(layout.partFailed)
      return
    }
    const hasFocus = document.activeElement === button.current
    setShown({ hasFocus, isOpen: hasFocus || button.current?.matches(':hover') === true })
  }
  return (
    <button
      ref={button}
      type="button"
      aria-label={props.label}
      onPointerEnter={() => void show()}
      onFocus={() => void show()}
      onClick={() => void show({ isAsked: true })}
      className={infoTipLook}
    >
      <Info size={16} />
    </button>
  )
}
