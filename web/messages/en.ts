import { account, forgotPassword, resetPassword, verifyEmail } from './en/account.ts'
import { forms } from './en/forms.ts'
import { layout } from './en/layout.ts'
import { login } from './en/login.ts'
import { promotions, referrals } from './en/referrals.ts'
import { register } from './en/register.ts'
import { tokenPicker } from './en/token-picker.ts'
import { ui } from './en/ui.ts'
import { useLanguage } from './language.ts'

/** The English texts that every page may need; `texts.ts` lists the other parts. */
export const en = {
  ui,
  layout,
  forms,
  login,
  register,
  account,
  verifyEmail,
  forgotPassword,
  resetPassword,
  tokenPicker,
  referrals,
  promotions,
}

export type Messages = typeof en

/** The texts that every page may need. */
export function useMessages(): Messages {
  return useLanguage().texts?.messages ?? en
}
