import type { ReactNode } from 'react'
import { TriangleAlert, X } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { classNames } from '#web/ui/style/class-names.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { toneIcon, toneText, toneTint, type Tone } from '#web/ui/style/tone.tsx'

interface BannerProps {
  tone: Exclude<Tone, 'neutral'>
  /** A link or button after the text. */
  action?: ReactNode
  onDismiss?: () => void
  /** Smaller on a phone, where it is above every page. */
  isSmall?: boolean
  children: ReactNode
}

/**
 * A notice across the available width: one line if there is room, with text and action in a row.
 */
export function Banner({ tone, action, onDismiss, isSmall = false, children }: BannerProps) {
  const { ui } = useMessages()
  return (
    <div
      className={classNames(
        'flex min-h-10 items-center gap-3 rounded-card px-3 sm:px-4',
        isSmall ? 'text-12 sm:text-14' : 'text-14',
        toneTint[tone],
      )}
    >
      <span className={classNames('shrink-0', toneText[tone])}>
        {tone === 'warning' ? <TriangleAlert size="1.15em" /> : toneIcon(tone, '1.15em')}
        <span className="sr-only">{ui.tones[tone]}</span>
      </span>
      <p className="min-w-0 flex-1 py-2 wrap-anywhere">
        <span className="mr-2">{children}</span>
        {action}
      </p>
      {onDismiss !== undefined && (
        <IconButton
          label={ui.dismiss}
          icon={<X size="1em" />}
          onClick={onDismiss}
          className="-my-0.5 -mr-3 noscript:hidden"
        />
      )}
    </div>
  )
}
