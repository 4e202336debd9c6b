import { LoginForm } from '#web/features/account/sign-in/login-form.tsx'
import { useMessages } from '#web/messages/use-messages.ts'
import { FormPage } from './form-page.tsx'
import { SaleAside } from './sale-aside.tsx'

/**
 * Always the same one: what the server sent would be taken away if the form rendered it anew before
 * its code is there.
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
