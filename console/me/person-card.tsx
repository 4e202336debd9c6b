import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { GivenPassword, NewPassword } from '#contract/shapes.ts'
import { useSelf } from '#console/session/self.ts'
import { call, isRefusal, messageOf } from '#web/lib/api/call.ts'
import { useForm } from '#web/lib/use-form.ts'
import { Button } from '#web/ui/actions.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { PasswordField } from '#web/ui/fields/text-field.tsx'
import { Card, LabelledLine } from '#web/ui/layout/card.tsx'

export function PersonCard({ account }: { account: OperatorAccount }) {
  const { role } = useSelf()
  return (
    <Card title="You">
      <dl>
        <LabelledLine label="Name">{account.name}</LabelledLine>
        <LabelledLine label="Email">{account.email}</LabelledLine>
        <LabelledLine label="Role">{role}</LabelledLine>
      </dl>
    </Card>
  )
}

const passwordSchema = z.object({ current: GivenPassword, password: NewPassword })
const empty = { current: '', password: '' }

/** Changes the password, which ends all other sessions. */
export function PasswordCard() {
  const client = useQueryClient()
  const form = useForm({
    schema: passwordSchema,
    initial: empty,
    async onSubmit({ current, password }) {
      const body = { current_password: current, password }
      await call(accountContract.changeOperatorPassword, { body })
      form.reset(empty)
      toast.success('Your password is changed. You are signed out everywhere else.')
      await client.invalidateQueries({ queryKey: ['operator', 'me'] })
    },
    onFault(error) {
      const field = isRefusal(error, 'WrongPassword') ? 'current' : 'password'
      form.refuse(field, faultOf(error))
    },
  })
  return (
    <Card title="Password">
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-2">
        <PasswordField
          {...form.text('current')}
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField
          {...form.text('password')}
          label="New password"
          autoComplete="new-password"
        />
        <Button
          type="submit"
          variant="secondary"
          size="small"
          isBusy={form.isSubmitting}
          className="self-start"
        >
          Change the password
        </Button>
      </form>
    </Card>
  )
}

function faultOf(error: unknown): string {
  if (isRefusal(error, 'InvalidInput')) return error.errors[0]?.message ?? error.message
  return messageOf(error, 'The server does not answer')
}
