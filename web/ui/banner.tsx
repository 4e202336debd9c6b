import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { toneIcon, toneText, toneTint, type Tone } from './tone.tsx'

interface BannerProps {
  tone: Tone
  /** Replaces the icon of the tone. */
  icon?: ReactNode
  /** A link or button after the text. */
  action?: ReactNode
  onDismiss?: () => void
  children: ReactNode
}

/** A notice across the width it is given. */
export function Banner({ tone, icon, action, onDismiss, children }: BannerProps) {
  const { ui } = useMessages()
  return (
    <div
      className={classNames(
        'flex items-start gap-3 rounded-card px-4 py-1 text-14',
        toneTint[tone],
      )}
    >
      <span className={classNames('py-3', toneText[tone])}>{icon ?? toneIcon(tone, 20)}</span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 self-center py-2">
        <span>{children}</span>
        {action}
      </div>
      {onDismiss !== undefined && (
        <IconButton label={ui.dismiss} icon={<X size={16} />} onClick={onDismiss} />
      )}
    </div>
  )
}
