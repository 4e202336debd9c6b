import { useState } from 'react'
import { connectionsContract, type WebhookEndpoint } from '#contract/operator/connections.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { Time } from '#console/kit/values.tsx'
import { Button } from '#web/ui/actions.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { ShownOnce } from './shown-once.tsx'

type Act = 'test' | 'change' | 'rotate' | 'enable' | 'disable' | 'end'

const labels: Record<Act, string> = {
  test: 'Send a test',
  change: 'Change',
  rotate: 'New secret',
  enable: 'Enable',
  disable: 'Disable',
  end: 'End',
}

/** What may be done with an endpoint, each behind a dialog. */
export function EndpointActs({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [open, setOpen] = useState<Act | null>(null)
  const close = () => setOpen(null)
  const isDisabled = endpoint.state === 'disabled'
  const acts: Act[] = isDisabled
    ? ['enable', 'change', 'rotate', 'end']
    : ['test', 'change', 'rotate', 'disable', 'end']
  return (
    <div className="flex flex-wrap gap-2">
      {acts.map((each) => (
        <Button
          key={each}
          size="small"
          variant={each === 'end' ? 'danger' : 'secondary'}
          onClick={() => setOpen(each)}
        >
          {labels[each]}
        </Button>
      ))}
      {open === 'change' && <EndpointDialog endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateDialog endpoint={endpoint} onClose={close} />}
      {open !== null && open !== 'change' && open !== 'rotate' && (
        <Confirmation which={open} id={endpoint.id} onClose={close} />
      )}
    </div>
  )
}

interface ConfirmationProps {
  which: Exclude<Act, 'change' | 'rotate'>
  id: string
  onClose: () => void
}

const confirmations = {
  test: {
    title: 'Send a test',
    text: 'A webhook.test event is sent to the endpoint now and is listed below.',
    call: connectionsContract.testWebhook,
    done: 'The test is on its way.',
  },
  enable: {
    title: 'Enable the endpoint',
    text: 'Events that were waiting are sent to it first, then all that happen from now on.',
    call: connectionsContract.enableWebhook,
    done: 'The endpoint is enabled.',
  },
  disable: {
    title: 'Disable the endpoint',
    text:
      'Nothing is sent to it until it is enabled again. Events that happen meanwhile are not kept ' +
      'for it.',
    call: connectionsContract.disableWebhook,
    done: 'The endpoint is disabled.',
  },
  end: {
    title: 'End the endpoint',
    text: 'Nothing more is sent to it, and its secret stops working. This cannot be undone.',
    call: connectionsContract.endWebhook,
    done: 'The endpoint has ended.',
  },
} as const

function Confirmation({ which, id, onClose }: ConfirmationProps) {
  const { title, text, call, done } = confirmations[which]
  return (
    <ActDialog
      title={title}
      confirm={labels[which]}
      isDangerous={which === 'end'}
      endpoint={call}
      input={() => ({ params: { id } })}
      done={done}
      onClose={onClose}
    >
      <p>{text}</p>
    </ActDialog>
  )
}

interface RotateDialogProps {
  endpoint: WebhookEndpoint
  onClose: () => void
}

function RotateDialog({ endpoint, onClose }: RotateDialogProps) {
  const { id, former_secret_until_date: former } = endpoint
  return (
    <ActDialog
      title="Make a new secret"
      confirm="Make a new secret"
      endpoint={connectionsContract.rotateWebhookSecret}
      input={() => ({ params: { id } })}
      renderResult={({ secret }) => (
        <ShownOnce label="Signing secret" secret={secret} onClose={onClose}>
          Give it to the receiver within 24 hours.
        </ShownOnce>
      )}
      onClose={onClose}
    >
      <p>
        For 24 hours every webhook is signed with both the old and the new secret, so that the
        receiver has time to switch. After that the old one stops working.
      </p>
      {former !== null && (
        <p>
          The secret before these two, which was to sign until <Time value={former} />, stops
          working at once. Wait until then if the receiver still has it.
        </p>
      )}
    </ActDialog>
  )
}
