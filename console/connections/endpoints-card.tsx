import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { type WebhookEndpoint, connectionsContract } from '#contract/operator/connections.ts'
import { webhookEvents } from '#domain/operators/webhook-events.ts'
import { Loaded, watchedQuery } from '#console/kit/loaded.tsx'
import { type Column, Table } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointState } from './state-chip.tsx'

export function EndpointsCard() {
  const [isAdding, setAdding] = useState(false)
  const query = useQuery(webhooksQuery)
  return (
    <Card
      title="Webhooks"
      aside={<SmallButton onClick={() => setAdding(true)}>Add an endpoint</SmallButton>}
    >
      <Loaded query={query} what="The endpoints" skeleton="h-24">
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon={<Webhook />} title="No endpoint yet">
              An endpoint is an address of yours that is notified at once when somebody buys, pays
              or is owed a refund.
            </EmptyState>
          ) : (
            <Table
              label="Webhooks"
              columns={columns}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/connections/${id}`}
            />
          )
        }
      </Loaded>
      {isAdding && <EndpointDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    header: 'Endpoint',
    isTitle: true,
    cell: ({ url, description }) => (
      <span className="inline-block min-w-24">{description === '' ? url : description}</span>
    ),
  },
  { header: 'State', cell: ({ state }) => <EndpointState state={state} /> },
  { header: 'Address', from: 'lg', cell: ({ url }) => <span className="text-quiet">{url}</span> },
  {
    header: 'Events',
    from: 'md',
    isNumber: true,
    cell: ({ events }) => `${events.length} of ${webhookEvents.length}`,
  },
  { header: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
  {
    header: 'Last delivered',
    cell: ({ last_delivered_date: date }) => <Time value={date} none="Never" as="age" />,
  },
]

export const webhooksQuery = watchedQuery(
  ['operator', 'webhooks'],
  connectionsContract.listWebhooks,
  {},
)
