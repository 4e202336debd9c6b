import { ResetPasswordForm } from '#web/features/account/sign-in/reset-password-form.tsx'
import { useMessages } from '#web/messages/en.ts'
import { FormPage } from './form-page.tsx'
import { useMailedToken } from './use-mailed-token.ts'

export function ResetPasswordScreen() {
  const { resetPassword } = useMessages()
  const token = useMailedToken()
  return (
    <FormPage heading={resetPassword.heading}>
      <ResetPasswordForm token={token} />
    </FormPage>
  )
}
