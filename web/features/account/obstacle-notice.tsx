import type { User } from '#contract/shapes.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import type { Obstacle } from '#web/session/session-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { ResendVerification } from './resend-verification.tsx'

interface ObstacleNoticeProps {
  user: User
  obstacle: Obstacle
  /** True where the page itself has the button to send the verification mail again. */
  hasResend: boolean
}

/** What the server asks of the user before it goes on, with the way to do it. */
export function ObstacleNotice({ user, obstacle, hasResend }: ObstacleNoticeProps) {
  const security = useSecurityTexts()
  if (obstacle === 'PasswordChangeRequired') {
    return (
      <div className="mb-6">
        <Card title={security.passwordNoticeTitle} className="max-w-2xl">
          <Banner tone="warning">{security.passwordNotice}</Banner>
          <ChangePasswordForm user={user} />
        </Card>
      </div>
    )
  }
  return (
    <div className="mb-6 flex flex-col gap-2">
      <Banner tone="warning">{security.verifyNotice(user.email)}</Banner>
      {!hasResend && (
        <div className="flex justify-end">
          <ResendVerification user={user} />
        </div>
      )}
    </div>
  )
}
