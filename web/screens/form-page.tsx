import type { ReactNode } from 'react'
import { classNames } from '#web/ui/style/class-names.ts'
import { PageHeading } from '#web/ui/layout/page-heading.tsx'

interface FormPageProps {
  heading: string
  intro?: string
  width?: 'narrow' | 'medium'
  /**
   * Beside the form on wide windows and above it on others; the keyboard reaches the form first.
   */
  aside?: ReactNode
  children: ReactNode
}

/** A page with a single form: in the middle, or beside a panel about the sale. */
export function FormPage({ heading, intro, width = 'narrow', aside, children }: FormPageProps) {
  const hasAside = aside !== undefined
  const widest = width === 'narrow' ? 'max-w-sm' : 'max-w-lg'
  return (
    <div
      className={classNames(
        // As the server sends it, until the scripts redirect a logged-in user to another page.
        'session-kept:invisible',
        hasAside && 'flex flex-col lg:grid lg:grid-cols-2 lg:items-start lg:gap-12 xl:gap-20',
      )}
    >
      <div className={classNames('mx-auto w-full py-4 sm:py-12', widest)}>
        <div className="mb-8 flex flex-col gap-2">
          <PageHeading>{heading}</PageHeading>
          {intro !== undefined && <p className="text-quiet">{intro}</p>}
        </div>
        {children}
      </div>
      {hasAside && (
        <div
          className={classNames(
            'order-first mx-auto w-full lg:sticky lg:top-24 lg:order-none lg:max-w-none',
            widest,
          )}
        >
          {aside}
        </div>
      )}
    </div>
  )
}
