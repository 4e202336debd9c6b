import type { ReactNode } from 'react'

/** A small picture of a part of the drawing, before the words for it. */
export function LegendMark({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 12 16"
      aria-hidden="true"
      className="mt-[0.25em] h-[1em] w-[0.75em] shrink-0 self-start forced-color-adjust-none forced-colors:[--ink:CanvasText]"
    >
      {children}
    </svg>
  )
}
