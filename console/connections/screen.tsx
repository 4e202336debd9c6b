import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { EndpointsCard } from './endpoints-card.tsx'
import { KeysCard } from './keys-card.tsx'

/** What other software is connected: webhooks, by which it hears, and keys, by which it calls. */
export function ConnectionsScreen() {
  return (
    <>
      <PageHeading>Connections</PageHeading>
      <EndpointsCard />
      <KeysCard />
    </>
  )
}
