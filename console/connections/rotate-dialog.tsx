import { useState } from 'react'
import { connectionsContract } from '#contract/operator/connections.ts'
import { DialogButtons } from '#console/kit/act-dialog.tsx'
import { call } from '#web/lib/api/call.ts'
import { FieldError } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useSubmit } from './use-submit.ts'

interface RotateDialogProps {
  id: string
  onClose: () => void
}

export function RotateDialog({ id, onClose }: RotateDialogProps) {
  const [secret, setSecret] = useState<string | null>(null)
  const { faults, isBusy, onSubmit } = useSubmit(async () => {
    const input = { params: { id } }
    setSecret((await call(connectionsContract.rotateWebhookSecret, input)).secret)
  })
  return (
    <Dialog isOpen title="Make a new secret" onClose={onClose}>
      {secret === null ? (
        <form onSubmit={onSubmit} className="flex flex-col gap-4">
          <p>
            For 24 hours every webhook is signed with both the old and the new secret, so that the
            receiver has time to switch. After that the old one stops working.
          </p>
          <FieldError id="rotate-error" error={faults.form} keepsLine={false} />
          <DialogButtons confirm="Make a new secret" isBusy={isBusy} onClose={onClose} />
        </form>
      ) : (
        <ShownOnce label="Signing secret" secret={secret} onClose={onClose}>
          Give it to the receiver within 24 hours.
        </ShownOnce>
      )}
    </Dialog>
  )
}
