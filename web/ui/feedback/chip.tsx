import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'
import { toneIcon, toneText, toneTint, type Tone } from '#web/ui/style/tone.tsx'

interface ChipProps {
  tone: Tone
  /** Replaces the icon of the tone. */
  icon?: ReactNode
  children: ReactNode
}

export function Chip({ tone, icon, children }: ChipProps) {
  return (
    <span
      data-tone={tone}
      className={classNames(
        'inline-flex items-center gap-1 rounded-pill px-2 py-0.5 text-14 font-medium',
        'whitespace-nowrap max-[16rem]:whitespace-normal',
        toneText[tone],
        toneTint[tone],
      )}
    >
      {icon ?? toneIcon(tone, 16)}
      {/* Its baseline is that of the word, and not the lower edge of the icon. */}
      <span className="self-baseline">{children}</span>
    </span>
  )
}
