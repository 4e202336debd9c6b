import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { IconButton } from './icon-button.tsx'

interface PaginationProps {
  /** Names the navigation for screen readers. */
  label: string
  /** Left out where there is no such page. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
}

export function Pagination({ label, onPrevious, onNext }: PaginationProps) {
  const { ui } = useMessages()
  return (
    <nav aria-label={label} className="flex justify-end gap-2">
      <IconButton
        label={ui.previousPage}
        icon={<ChevronLeft size={20} />}
        disabled={onPrevious === undefined}
        onClick={onPrevious}
      />
      <IconButton
        label={ui.nextPage}
        icon={<ChevronRight size={20} />}
        disabled={onNext === undefined}
        onClick={onNext}
      />
    </nav>
  )
}
