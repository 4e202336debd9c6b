import { PageHeading } from '#web/ui/layout/page-heading.tsx'

export function NotFound() {
  return (
    <>
      <PageHeading>There is nothing here</PageHeading>
      <p className="text-quiet">The address is not one of the console’s. Choose a section.</p>
    </>
  )
}
