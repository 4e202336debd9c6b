import type { ReactNode } from 'react'
import { CircleAlert, CircleCheck, Clock, Info, Minus } from 'lucide-react'

/** The status colours, which never stand alone: each has an icon, and a word beside it. */
export type Tone = 'success' | 'error' | 'warning' | 'info' | 'neutral'

export const toneText: Record<Tone, string> = {
  success: 'text-success',
  error: 'text-error',
  warning: 'text-warning',
  info: 'text-info',
  neutral: 'text-quiet',
}

export const toneTint: Record<Tone, string> = {
  success: 'bg-success/14',
  error: 'bg-error/14',
  warning: 'bg-warning/14',
  info: 'bg-info/14',
  neutral: 'bg-raised',
}

export function toneIcon(tone: Tone, size: number | string): ReactNode {
  const icons = {
    success: CircleCheck,
    error: CircleAlert,
    warning: Clock,
    info: Info,
    neutral: Minus,
  }
  const Icon = icons[tone]
  return <Icon size={size} className="shrink-0" />
}
