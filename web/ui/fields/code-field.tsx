import { useSecurityTexts } from '#web/messages/use-security-texts.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface CodeFieldProps extends Omit<TextFieldProps, 'label'> {
  /** A recovery code is asked for instead of one of the authenticator app. */
  isRecovery?: boolean
}

export function CodeField({ isRecovery = false, ...field }: CodeFieldProps) {
  const security = useSecurityTexts()
  return (
    <TextField
      {...field}
      label={isRecovery ? security.recoveryCode : security.code}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      spellCheck={false}
      className="tabular"
    />
  )
}

/**
 * A code as it is sent, however it was typed: apps show it in two groups, and people add a space.
 */
export function codeOf(typed: string): string {
  return typed.replace(/\s/g, '')
}
