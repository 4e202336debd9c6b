import type { ComponentProps } from 'react'
import { TextLink } from '#web/ui/actions.tsx'

/** Above the heading of a page, to the list that it belongs to; as large as a finger needs. */
export function BackLink(props: Pick<ComponentProps<typeof TextLink>, 'to' | 'children'>) {
  return (
    <TextLink
      {...props}
      className="relative self-start text-14 after:absolute after:-inset-x-2 after:-inset-y-3"
    />
  )
}
