import type { ReactNode } from 'react'

export interface InfoTipProps {
  /** The accessible name of the button, such as 'About the total bonus'. */
  label: string
  children: ReactNode
}

export const infoTipLook =
  'relative inline-flex size-6 items-center justify-center rounded-pill text-quiet after:absolute after:-inset-2.5 hover:text-ink'
