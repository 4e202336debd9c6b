import type { ReactNode } from 'react'
import { Drawing, type DrawingSubject } from './drawing.tsx'

interface DeadEndProps {
  drawing: DrawingSubject
  heading: ReactNode
  children: ReactNode
  /** The ways on, as buttons or links. */
  actions: ReactNode
}

/** A page with nothing on it but why, and the ways on. */
export function DeadEnd({ drawing, heading, children, actions }: DeadEndProps) {
  return (
    <div className="flex flex-col items-start gap-8 py-8 md:flex-row-reverse md:items-center md:justify-end lg:gap-16 lg:py-16">
      <Drawing of={drawing} className="-ml-4 h-32 max-w-full md:ml-0 md:h-auto md:w-[38%]" />
      <div className="flex min-w-0 max-w-[36rem] flex-1 flex-col items-start gap-5">
        {heading}
        <div className="flex max-w-prose flex-col gap-2 text-quiet">{children}</div>
        <div className="flex flex-wrap gap-3">{actions}</div>
      </div>
    </div>
  )
}
