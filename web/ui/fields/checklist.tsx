import { Check, Circle } from 'lucide-react'
import { classNames } from '#web/ui/style/class-names.ts'

interface ChecklistProps {
  items: { label: string; isMet: boolean }[]
}

/** Conditions that are ticked off while somebody types, such as those of a password. */
export function Checklist({ items }: ChecklistProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {items.map((item) => (
        <li
          key={item.label}
          className={classNames('flex items-center gap-1', item.isMet && 'text-success')}
        >
          {item.isMet ? (
            <Check size={16} aria-hidden="true" />
          ) : (
            <Circle size={16} aria-hidden="true" className="p-0.5" />
          )}
          {item.label}
        </li>
      ))}
    </ul>
  )
}
