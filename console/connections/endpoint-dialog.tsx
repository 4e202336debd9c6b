import { useState } from 'react'
import { connectionsContract, type WebhookEndpoint } from '#contract/operator/connections.ts'
import {
  type WebhookEvent,
  webhookEvents,
  webhookEventTexts,
} from '#domain/operators/webhook-events.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Choices } from './choices.tsx'
import { ShownOnce } from './shown-once.tsx'

const eventOptions = webhookEvents.map((name) => ({ name, text: webhookEventTexts[name] }))

interface EndpointDialogProps {
  /** The one that is changed; left out for a new one. */
  endpoint?: WebhookEndpoint
  onClose: () => void
}

/** Makes a new endpoint, and shows its secret at the end, or changes an existing one. */
export function EndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { url = '', description = '', events: former = [] } = endpoint ?? {}
  const { valueOf, field, errorOf, refuse } = useFields({ url, description })
  const [events, setEvents] = useState<readonly WebhookEvent[]>(former)
  const body = () => ({
    url: valueOf('url'),
    description: valueOf('description'),
    events: [...events],
  })
  const shared = { size: 'wide', onRefused: refuse, onClose } as const
  const fields = (
    <>
      <TextField
        label="Address"
        inputMode="url"
        placeholder="https://example.com/webhooks"
        {...field('url')}
      />
      <TextField
        label="Description"
        placeholder="What it is for"
        maxLength={200}
        {...field('description')}
      />
      <Choices
        legend="Events"
        options={eventOptions}
        chosen={events}
        onChange={setEvents}
        error={errorOf('events')}
      />
    </>
  )
  return endpoint === undefined ? (
    <ActDialog
      {...shared}
      title="Add an endpoint"
      confirm="Add"
      endpoint={connectionsContract.createWebhook}
      input={() => ({ body: body() })}
      renderResult={({ secret }) => (
        <ShownOnce label="Signing secret" secret={secret} onClose={onClose}>
          Give it to whoever runs the receiver, so that the receiver can tell our webhooks from
          others.
        </ShownOnce>
      )}
    >
      {fields}
    </ActDialog>
  ) : (
    <ActDialog
      {...shared}
      title="Change the endpoint"
      confirm="Change"
      endpoint={connectionsContract.changeWebhook}
      input={() => ({ params: { id: endpoint.id }, body: body() })}
      done="The endpoint is changed."
    >
      {fields}
    </ActDialog>
  )
}
