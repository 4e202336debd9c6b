import type { ReactNode } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMessages } from '#web/messages/en.ts'
import { IconButton } from '#web/ui/actions/icon-button.tsx'

interface PaginationProps {
  /** Names the navigation for screen readers. */
  label: string
  /** Left out where there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

/** At an end a button stays where the focus is, so that who turns pages by keyboard keeps it. */
export function Pagination({ label, onPrevious, onNext }: PaginationProps) {
  const { ui } = useMessages()
  return (
    <nav aria-label={label} className="flex justify-end gap-2">
      <TurnButton label={ui.previousPage} icon={<ChevronLeft size={20} />} onTurn={onPrevious} />
      <TurnButton label={ui.nextPage} icon={<ChevronRight size={20} />} onTurn={onNext} />
    </nav>
  )
}

interface TurnButtonProps {
  label: string
  icon: ReactNode
  onTurn: (() => void) | undefined
}

function TurnButton({ label, icon, onTurn }: TurnButtonProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      aria-disabled={onTurn === undefined}
      onClick={onTurn}
      className="aria-disabled:cursor-default aria-disabled:opacity-50"
    />
  )
}
