import type { User } from '#contract/shapes.ts'
import { useSecurityTexts } from '#web/messages/en/security.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'

/** The operator wants another password before the user goes on; there is no way around it. */
export function RequiredPasswordCard({ user }: { user: User }) {
  const security = useSecurityTexts()
  return (
    <Card title={security.passwordNoticeTitle}>
      <Banner tone="warning">{security.passwordNotice}</Banner>
      <ChangePasswordForm user={user} />
    </Card>
  )
}
