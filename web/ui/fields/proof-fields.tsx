import { useState } from 'react'
import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { CodeField } from './code-field.tsx'
import { PasswordField, type TextFieldProps } from './text-field.tsx'

interface ProofFieldsProps {
  form: { text: (name: 'password' | 'code') => Omit<TextFieldProps, 'label'> }
  /** Whether two-factor login is known to be on. If it is not, the server asks for the code. */
  asksForCode: boolean
  autoFocus?: boolean
}

/** The password, and a code if one is needed: they show that it is the owner who asks. */
export function ProofFields({ form, asksForCode, autoFocus = false }: ProofFieldsProps) {
  const security = useSecurityTexts()
  const code = form.text('code')
  const [wasRefused, setWasRefused] = useState(false)
  if (code.error !== undefined && !wasRefused) setWasRefused(true)
  return (
    <>
      <PasswordField
        {...form.text('password')}
        label={security.confirmPassword}
        autoComplete="current-password"
        autoFocus={autoFocus}
      />
      {(asksForCode || wasRefused) && (
        <CodeField {...code} hint={security.codeOrRecovery} inputMode="text" />
      )}
    </>
  )
}
