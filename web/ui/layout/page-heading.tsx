import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'

interface PageHeadingProps {
  children: ReactNode
  /** At the right of the heading, or below it on a phone. */
  aside?: ReactNode
  /** As large as on the posters, if the heading is most of the page. */
  isPoster?: boolean
}

/** The router's key for the entry with which the browser opened the application. */
const FIRST_ENTRY = 'default'

/** The one heading of a screen. It takes the focus when the screen is reached from another one. */
export function PageHeading({ children, aside, isPoster = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isFirst] = useState(useLocation().key === FIRST_ENTRY)
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
  }, [isFirst])
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h1
        ref={heading}
        tabIndex={-1}
        className={`wrap-anywhere ${isPoster ? 'text-39 sm:text-61' : LARGE}`}
      >
        {children}
      </h1>
      {aside}
    </div>
  )
}

/** On a phone never wider than the page, even if the browser's text is set larger. */
const LARGE =
  'max-sm:text-[length:min(1.5625rem,11vw)] max-sm:leading-[1.2] max-sm:tracking-[-0.018em] sm:text-31'
