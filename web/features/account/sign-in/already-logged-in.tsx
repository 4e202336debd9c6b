import { paths } from '#web/lib/paths.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

/** Says why a mailed link to choose a new password has led to another page, and where to do it. */
export function AlreadyLoggedIn({ insteadOf }: { insteadOf: string }) {
  const { resetPassword } = useAccountPageTexts()
  return (
    <Banner
      tone="info"
      action={<TextLink to={`${paths.account}#password`}>{resetPassword.changePassword}</TextLink>}
    >
      {insteadOf === paths.resetPassword ? resetPassword.notOpened : resetPassword.notNeeded}
    </Banner>
  )
}
