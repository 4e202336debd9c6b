import { ResetPasswordForm } from '#web/features/account/sign-in/reset-password-form.tsx'
import { FormPage } from './form-page.tsx'
import { useMailedToken } from './use-mailed-token.ts'
import { useAccountPageTexts } from '#web/messages/use-account-page-texts.ts'

export function ResetPasswordScreen() {
  const { resetPassword } = useAccountPageTexts()
  const token = useMailedToken()
  return (
    <FormPage heading={resetPassword.heading}>
      <ResetPasswordForm token={token} />
    </FormPage>
  )
}
