import { PageHeading } from '#web/ui/layout/page-heading.tsx'
import { EndpointsCard } from './endpoints-card.tsx'
import { KeysCard } from './keys-card.tsx'

/**
 * The other software that is connected: webhooks, which notify it, and keys, with which it calls.
 */
export function ConnectionsScreen() {
  return (
    <>
      <PageHeading>Connections</PageHeading>
      <EndpointsCard />
      <KeysCard />
    </>
  )
}
