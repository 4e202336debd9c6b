import type { ReactNode } from 'react'
import { TriangleAlert, X } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { IconButton } from '#web/ui/actions/icon-button.tsx'
import { toneIcon, toneText, toneTint, type Tone } from '#web/ui/style/tone.tsx'

interface BannerProps {
  tone: Exclude<Tone, 'neutral'>
  /** A link or button after the text. */
  action?: ReactNode
  onDismiss?: () => void
  children: ReactNode
}

/**
 * A notice across the width it is given: one line where there is room, text and action in a row.
 */
export function Banner({ tone, action, onDismiss, children }: BannerProps) {
  const { ui } = useMessages()
  return (
    <div
      className={classNames(
        'flex min-h-10 items-center gap-3 rounded-card px-3 text-14 sm:px-4',
        toneTint[tone],
      )}
    >
      <span className={classNames('shrink-0', toneText[tone])}>
        {tone === 'warning' ? <TriangleAlert size={16} aria-hidden="true" /> : toneIcon(tone, 16)}
        <span className="sr-only">{ui.tones[tone]}</span>
      </span>
      <p className="min-w-0 flex-1 py-1.5 wrap-anywhere">
        <span className="mr-2">{children}</span>
        {action}
      </p>
      {onDismiss !== undefined && (
        <IconButton
          label={ui.dismiss}
          icon={<X size={16} />}
          onClick={onDismiss}
          className="-my-0.5 -mr-3 noscript:hidden"
        />
      )}
    </div>
  )
}
