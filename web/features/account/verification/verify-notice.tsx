import type { User } from '#contract/shapes.ts'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ResendVerification } from './resend-verification.tsx'

interface VerifyNoticeProps {
  user: User
  /** True if the page itself has the button to send the verification mail again. */
  hasResend: boolean
}

/** The sale requires a verified address before it continues; shows how to verify it. */
export function VerifyNotice({ user, hasResend }: VerifyNoticeProps) {
  const security = useSecurityTexts()
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
