import { useState } from 'react'
import type { User } from '#contract/shapes.ts'
import { useSecurityTexts } from '#web/messages/en/security.ts'
import { Button } from '#web/ui/actions/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** The way to a new password, for whoever wants one. */
export function PasswordCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const [form, setForm] = useState<'unopened' | 'open' | 'closed'>('unopened')
  const close = () => setForm('closed')
  return (
    <Card title={security.passwordTitle}>
      <p className="text-quiet">{security.passwordEndsOthers}</p>
      {form === 'open' ? (
        <ChangePasswordForm user={user} autoFocus onDone={close} onCancel={close} />
      ) : (
        <Button
          variant="secondary"
          onClick={() => setForm('open')}
          // The focus comes back from the form.
          autoFocus={form === 'closed'}
          className="w-full sm:w-auto sm:self-start"
        >
          {security.changePassword}
        </Button>
      )}
    </Card>
  )
}
