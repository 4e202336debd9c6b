import { account, forgotPassword, resetPassword, verifyEmail } from './en/account.ts'
import { buy } from './en/buy.ts'
import { dashboard } from './en/dashboard.ts'
import { forms } from './en/forms.ts'
import { layout } from './en/layout.ts'
import { login } from './en/login.ts'
import { promotions, referrals } from './en/referrals.ts'
import { register } from './en/register.ts'
import { sandbox } from './en/sandbox.ts'
import { tokenPicker } from './en/token-picker.ts'
import { transaction } from './en/transaction.ts'
import { ui } from './en/ui.ts'

/** Every text of the interface, in English. The long texts of static pages stand with them. */
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
  dashboard,
  buy,
  transaction,
  sandbox,
}

export type Messages = typeof en
