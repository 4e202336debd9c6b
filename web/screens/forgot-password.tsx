import { ForgotPasswordForm } from '#web/features/account/sign-in/forgot-password-form.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { FormPage } from './form-page.tsx'

export function ForgotPasswordScreen() {
  const { forgotPassword } = useMessages()
  return (
    <FormPage heading={forgotPassword.heading} intro={forgotPassword.intro}>
      <ForgotPasswordForm />
    </FormPage>
  )
}
