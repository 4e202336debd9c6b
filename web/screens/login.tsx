import { LoginForm } from '#web/features/account/sign-in/login-form.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { FormPage } from './form-page.tsx'
import { SaleAside } from './sale-aside.tsx'

export function LoginScreen() {
  const { login } = useMessages()
  return (
    <FormPage heading={login.heading} aside={<SaleAside />}>
      <LoginForm />
    </FormPage>
  )
}
