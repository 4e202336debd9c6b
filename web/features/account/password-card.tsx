import { useState } from 'react'
import type { User } from '#contract/shapes.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** The way to a new password, for whoever wants one. */
export function PasswordCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Card title={security.passwordTitle}>
      <p className="text-quiet">{security.passwordEndsOthers}</p>
      {isOpen ? (
        <ChangePasswordForm user={user} autoFocus onDone={close} onCancel={close} />
      ) : (
        <Button
          variant="secondary"
          onClick={() => setOpen(true)}
          className="w-full sm:w-auto sm:self-start"
        >
          {security.changePassword}
        </Button>
      )}
    </Card>
  )
}
