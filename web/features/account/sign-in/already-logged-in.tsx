import { paths } from '#web/lib/paths.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'
import { TextLink } from '#web/ui/actions.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

/** Says why a page to choose a new password has led to another one, and where to do it. */
export function AlreadyLoggedIn() {
  const { resetPassword } = useAccountPageTexts()
  return (
    <Banner
      tone="info"
      action={<TextLink to={`${paths.account}#password`}>{resetPassword.changePassword}</TextLink>}
    >
      {resetPassword.loggedIn}
    </Banner>
  )
}
