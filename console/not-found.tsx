import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function NotFound() {
  return (
    <>
      <PageHeading>There is nothing here</PageHeading>
      <p className="text-quiet">The console has no page at this address. Choose a section.</p>
    </>
  )
}
