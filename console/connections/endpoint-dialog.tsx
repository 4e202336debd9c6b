import { useState } from 'react'
import { connectionsContract, type WebhookEndpoint } from '#contract/operator/connections.ts'
import {
  type WebhookEvent,
  webhookEvents,
  webhookEventTexts,
} from '#domain/operators/webhook-events.ts'
import { DialogButtons } from '#console/kit/act-dialog.tsx'
import { call } from '#web/lib/api/call.ts'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { FieldError, TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { Choices } from './choices.tsx'
import { ShownOnce, useSubmit } from './secret-form.tsx'

const eventOptions = webhookEvents.map((name) => ({ name, text: webhookEventTexts[name] }))

interface EndpointDialogProps {
  /** The one that is changed; left out for a new one. */
  endpoint?: WebhookEndpoint
  onClose: () => void
}

/** Makes a new endpoint, and shows its secret at the end, or changes an existing one. */
export function EndpointDialog({ endpoint, onClose }: EndpointDialogProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(endpoint?.events ?? [])
  const [secret, setSecret] = useState<string | null>(null)
  const { faults, isBusy, onSubmit, formRef } = useSubmit(async () => {
    const body = { url, description, events: [...events] }
    if (endpoint === undefined) {
      setSecret((await call(connectionsContract.createWebhook, { body })).secret)
      return
    }
    const params = { id: endpoint.id }
    await call(connectionsContract.changeWebhook, { params, body })
    toast.success('The endpoint is changed.')
    onClose()
  })
  const title = endpoint === undefined ? 'Add an endpoint' : 'Change the endpoint'
  return (
    <Dialog isOpen title={title} size="wide" onClose={onClose}>
      {secret === null ? (
        <form ref={formRef} noValidate onSubmit={onSubmit} className="flex flex-col gap-2">
          <TextField
            label="Address"
            type="url"
            inputMode="url"
            placeholder="https://example.com/webhooks"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={faults.fields['url']}
          />
          <TextField
            label="Description"
            placeholder="What it is for"
            value={description}
            maxLength={200}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={faults.fields['description']}
          />
          <Choices
            legend="Events"
            options={eventOptions}
            chosen={events}
            onChange={setEvents}
            error={faults.fields['events']}
          />
          <FieldError id="endpoint-error" error={faults.form} keepsLine={false} />
          <DialogButtons
            confirm={endpoint === undefined ? 'Add' : 'Change'}
            isBusy={isBusy}
            onClose={onClose}
          />
        </form>
      ) : (
        <ShownOnce label="Signing secret" secret={secret} onClose={onClose}>
          Give it to whoever runs the receiver, so that the receiver can tell our webhooks from
          others.
        </ShownOnce>
      )}
    </Dialog>
  )
}
