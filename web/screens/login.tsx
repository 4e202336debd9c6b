import { LoginForm } from '#web/features/account/sign-in/login-form.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { FormPage } from './form-page.tsx'
import { SaleAside } from './sale-aside.tsx'

/**
 * Always the same element: otherwise the form would render it again before its code is loaded, and
 * remove what the server sent.
 */
const aside = <SaleAside />

export function LoginScreen() {
  const { login } = useMessages()
  return (
    <FormPage heading={login.heading} aside={aside}>
      <LoginForm />
    </FormPage>
  )
}
