import { useState, type ReactNode } from 'react'
import { Info } from 'lucide-react'
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components'

export interface InfoTipProps {
  /** The accessible name of the button, such as 'About the total bonus'. */
  label: string
  children: ReactNode
}

/** The button and its tooltip; use `InfoTip`, which fetches this. */
export function InfoTipTrigger({ label, children }: InfoTipProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <TooltipTrigger isOpen={isOpen} onOpenChange={setOpen} delay={150}>
      <Button
        aria-label={label}
        onPress={() => setOpen(true)}
        className="relative inline-flex size-6 items-center justify-center rounded-pill text-quiet after:absolute after:-inset-2.5 hover:text-ink"
      >
        <Info size={16} aria-hidden="true" />
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
