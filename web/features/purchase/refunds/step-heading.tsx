import { useEffect, useRef, type ReactNode } from 'react'

/** The heading of a step; it takes the focus when the step appears, so that it is read out. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h3 ref={heading} tabIndex={-1} className="text-16 font-strong">
      {children}
    </h3>
  )
}
