import { useState } from 'react'
import { Inbox } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import {
  connectionsContract,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '#contract/operator/connections.ts'
import { actFault } from '#console/kit/act-dialog.tsx'
import { useFilters } from '#console/kit/filters.tsx'
import { LOOK_EVERY_MS } from '#console/kit/loaded.tsx'
import { PagedTable, usePages, type Column } from '#console/kit/table.tsx'
import { Time } from '#console/kit/values.tsx'
import { call } from '#web/lib/api/call.ts'
import { Button, SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { DeliveryState } from './state-chip.tsx'

const filters = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'given_up', label: 'Given up' },
] as const

export function DeliveriesCard({ endpoint: { id, state: endpointState } }: DeliveriesCardProps) {
  const { values, set } = useFilters(['state'])
  const [shown, setShown] = useState<string | null>(null)
  const state = filters.find(({ value }) => value === values.state)?.value ?? 'all'
  const query = usePages(
    ['operator', 'webhooks', id, state],
    connectionsContract.listDeliveries,
    { params: { id }, query: state === 'all' ? {} : { state } },
    { lookEveryMs: LOOK_EVERY_MS },
  )
  const delivery = query.items.find((each) => each.id === shown)
  return (
    <Card
      title="Deliveries of the last 30 days"
      aside={
        <Segmented
          label="Show"
          options={filters}
          value={state}
          onChange={(chosen) => set({ state: chosen === 'all' ? null : chosen })}
        />
      }
    >
      <PagedTable
        pages={query}
        what="The deliveries"
        skeleton="h-40"
        empty={<NoDeliveries isFiltered={state !== 'all'} />}
        label="Deliveries"
        columns={columnsOf(setShown)}
        keyOf={({ id: each }) => each}
      />
      {delivery !== undefined && (
        <DeliveryDialog
          delivery={delivery}
          maySend={endpointState !== 'disabled'}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  )
}

interface DeliveriesCardProps {
  endpoint: WebhookEndpoint
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon={<Inbox />} title={isFiltered ? 'None of these' : 'Nothing was sent yet'}>
      {isFiltered
        ? 'Choose another state to see more.'
        : 'Send a test to see whether the receiver accepts it.'}
    </EmptyState>
  )
}

const columnsOf = (onShow: (id: string) => void): Column<WebhookDelivery>[] => [
  {
    header: 'Event',
    isTitle: true,
    cell: ({ type }) => <code className="font-medium whitespace-nowrap">{type}</code>,
  },
  { header: 'State', cell: (delivery) => <DeliveryState {...delivery} /> },
  { header: 'Happened', cell: ({ event_date: date }) => <Time value={date} /> },
  { header: 'Attempts', from: 'md', isNumber: true, cell: ({ attempts }) => attempts },
  {
    header: 'Last answer',
    from: 'md',
    cell: ({ last_fault: fault, last_status: status }) => fault ?? status ?? '–',
  },
  {
    header: 'Next attempt',
    from: 'xl',
    cell: ({ next_attempt_date: date }) => <Time value={date} as="age" />,
  },
  {
    header: 'Payload',
    cell: ({ id, type }) => (
      <SmallButton onClick={() => onShow(id)}>
        Show<span className="sr-only"> what was sent of {type}</span>
      </SmallButton>
    ),
  },
]

interface DeliveryDialogProps {
  delivery: WebhookDelivery
  /** False while nothing is sent to the endpoint. */
  maySend: boolean
  onClose: () => void
}

/** What was sent, what became of it, and the way to send it again. */
function DeliveryDialog({ delivery, maySend, onClose }: DeliveryDialogProps) {
  const client = useQueryClient()
  const { id, type, message_id: messageId, payload, last_fault: fault } = delivery
  const { isBusy, attempt } = useAttempt(
    async () => {
      await call(connectionsContract.redeliver, { params: { id } }).finally(
        () => void client.invalidateQueries(),
      )
      toast.success('It is sent again, with the same id.')
      onClose()
    },
    (error) => toast.error(actFault(error)),
  )
  return (
    <Dialog isOpen title={type} aside={<DeliveryState {...delivery} />} onClose={onClose}>
      <Story delivery={delivery} />
      {fault !== null && <p className="text-14 text-quiet">{fault}</p>}
      <CopyField label="webhook-id" value={messageId}>
        <code className="text-14 wrap-anywhere">{messageId}</code>
      </CopyField>
      <CopyField label="Body, as it is signed" value={payload}>
        <code className="text-14 wrap-anywhere whitespace-pre-wrap">
          {JSON.stringify(JSON.parse(payload), null, 2)}
        </code>
      </CopyField>
      {maySend && (
        <Button onClick={attempt} isBusy={isBusy} className="self-end">
          Send it again
        </Button>
      )}
    </Dialog>
  )
}

function Story({ delivery }: { delivery: WebhookDelivery }) {
  const {
    attempts,
    delivered_date: delivered,
    next_attempt_date: next,
    last_status: status,
  } = delivery
  const tried = attempts === 1 ? 'Tried once' : `Tried ${attempts} times`
  return (
    <p>
      Happened <Time value={delivery.event_date} />. {attempts === 0 ? 'Not tried yet' : tried}
      {delivered !== null && status !== null && `, answered with ${status}`}.
      {delivered !== null && (
        <>
          {' '}
          Delivered <Time value={delivered} />.
        </>
      )}
      {next !== null && (
        <>
          {' '}
          Next attempt <Time value={next} />.
        </>
      )}
    </p>
  )
}
