import { useEffect, type ReactNode } from 'react'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { Mark } from '#web/ui/mark.tsx'

interface FrameProps {
  heading: string
  intro?: ReactNode
  children: ReactNode
}

/** A console page for people who are not signed in: one form, in the middle. */
export function Frame({ heading, intro, children }: FrameProps) {
  useEffect(() => {
    document.title = `${heading} · Console`
  }, [heading])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-6 px-4 py-10 sm:px-6">
      <p className="flex items-center gap-2 font-strong text-quiet">
        <Mark className="size-8 text-accent" />
        Console
      </p>
      <div className="flex flex-col gap-2">
        <PageHeading>{heading}</PageHeading>
        {intro !== undefined && <p className="text-quiet">{intro}</p>}
      </div>
      {children}
    </main>
  )
}

/** Separates two ways of doing the same thing. */
export function Or() {
  return (
    <p className="flex items-center gap-4 text-14 text-quiet before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
      or
    </p>
  )
}
