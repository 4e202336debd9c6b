import { useEffect, useRef, useState } from 'react'
import { Info } from 'lucide-react'
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components'
import { type InfoTipProps, infoTipLook } from './tip-look.ts'

interface InfoTipTriggerProps extends InfoTipProps {
  /** Whether it replaces a button that has the focus, or that is hovered over. */
  hasFocus: boolean
  isOpen: boolean
}

/** The button and its tooltip; use `InfoTip`, which fetches this. */
export function InfoTipTrigger({ label, hasFocus, isOpen, children }: InfoTipTriggerProps) {
  const [isShown, setShown] = useState(isOpen)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen || hasFocus) return
    // The pointer was there before the button, which therefore cannot notice it leaving.
    const leave = ({ target }: PointerEvent) => {
      if (target instanceof Node && button.current?.contains(target)) return
      document.removeEventListener('pointermove', leave)
      setShown(false)
    }
    document.addEventListener('pointermove', leave)
    return () => document.removeEventListener('pointermove', leave)
  }, [isOpen, hasFocus])
  return (
    <TooltipTrigger isOpen={isShown} onOpenChange={setShown} delay={150}>
      <Button
        ref={button}
        aria-label={label}
        autoFocus={hasFocus}
        onPress={() => setShown(true)}
        className={infoTipLook}
      >
        <Info size={16} />
      </Button>
      <Tooltip
        offset={8}
        className="max-w-72 animate-appear rounded-control border border-edge bg-raised px-3 py-2 text-14 text-ink"
      >
        {children}
      </Tooltip>
    </TooltipTrigger>
  )
}
