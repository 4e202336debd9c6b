import { useId, useState, type ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import { classNames } from '#web/ui/style/class-names.ts'

interface DisclosureProps {
  title: ReactNode
  /** At the right of the title, visible whether open or not: a total. */
  aside?: ReactNode
  isOpenAtFirst?: boolean
  onOpen?: () => void
  children: ReactNode
}

/** A header that opens and closes what is below it. */
export function Disclosure(props: DisclosureProps) {
  const { title, aside, isOpenAtFirst = false, onOpen, children } = props
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const panelId = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => {
          setOpen(!isOpen)
          if (!isOpen) onOpen?.()
        }}
        className="flex min-h-11 w-full items-center gap-2 text-left font-medium"
      >
        <ChevronDown
          size={20}
          className={classNames(
            'shrink-0 text-quiet transition-transform',
            !isOpen && '-rotate-90',
          )}
        />
        <span className="min-w-0 flex-1">{title}</span>
        {aside}
      </button>
      <div id={panelId} hidden={!isOpen}>
        {children}
      </div>
    </div>
  )
}
