import { useState } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { useMessages } from '#web/messages/use-messages.ts'
import { IconButton } from '#web/ui/actions.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password that can be shown or hidden. The caller says which password by `autoComplete`. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const { ui } = useMessages()
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      suffix={
        <IconButton
          label={isShown ? ui.hidePassword : ui.showPassword}
          aria-pressed={isShown}
          icon={isShown ? <EyeOff size={20} /> : <Eye size={20} />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
