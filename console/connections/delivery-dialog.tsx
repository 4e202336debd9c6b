import { useQueryClient } from '@tanstack/react-query'
import { connectionsContract, type WebhookDelivery } from '#contract/operator/connections.ts'
import { actFault } from '#console/kit/act-dialog.tsx'
import { Time } from '#console/kit/values.tsx'
import { call } from '#web/lib/api/call.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { useAttempt } from '#web/ui/feedback/use-attempt.ts'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { DeliveryState } from './state-chip.tsx'

interface DeliveryDialogProps {
  delivery: WebhookDelivery
  /** False while nothing is sent to the endpoint. */
  maySend: boolean
  onClose: () => void
}

/** What was sent, what became of it, and the way to send it again. */
export function DeliveryDialog({ delivery, maySend, onClose }: DeliveryDialogProps) {
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
