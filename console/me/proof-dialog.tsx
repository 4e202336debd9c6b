import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { GivenPassword } from '#contract/shapes.ts'
import { DialogButtons } from '#console/kit/act-dialog.tsx'
import { passkeyFault } from '#console/session/passkey.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { FieldError, PasswordField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'

interface ProofDialogProps {
  title: string
  /** What it does, before it is done. */
  children?: ReactNode
  confirm: string
  isDangerous?: boolean
  /** Does it, with the password as proof. The dialog stays open if that fails. */
  onConfirm: (password: string) => Promise<void>
  onClose: () => void
}

const schema = z.object({ password: GivenPassword })

/** Asks for the password before changing how one signs in. */
export function ProofDialog(props: ProofDialogProps) {
  const { title, children, onConfirm, onClose } = props
  const [fault, setFault] = useState<string>()
  const form = useForm({
    schema,
    initial: { password: '' },
    async onSubmit({ password }) {
      setFault(undefined)
      await onConfirm(password)
    },
    onFault(error) {
      if (isRefusal(error, 'WrongPassword')) form.refuse('password', 'This is not your password')
      else setFault(passkeyFault(error, 'The server does not answer. Try again in a moment'))
    },
  })
  return (
    <Dialog isOpen title={title} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {children}
        <PasswordField
          {...form.text('password')}
          label="Your password"
          autoComplete="current-password"
          autoFocus
        />
        <FieldError id="proof-error" error={fault} keepsLine={false} />
        <DialogButtons {...props} isBusy={form.isSubmitting} />
      </form>
    </Dialog>
  )
}
