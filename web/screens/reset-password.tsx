import { ResetPasswordForm } from '#web/features/account/reset-password-form.tsx'
import { searches } from '#web/lib/paths.ts'
import { useSearch } from '#web/lib/use-search.ts'
import { useMessages } from '#web/messages/use-messages.ts'
import { FormPage } from './form-page.tsx'

export function ResetPasswordScreen() {
  const { resetPassword } = useMessages()
  const { token } = useSearch(searches.mailedLink)
  return (
    <FormPage heading={resetPassword.heading}>
      <ResetPasswordForm token={token} />
    </FormPage>
  )
}
