import { account, forgotPassword, resetPassword, verifyEmail } from './de/account.ts'
import { buy } from './de/buy.ts'
import { dashboard } from './de/dashboard.ts'
import { forms } from './de/forms.ts'
import { layout } from './de/layout.ts'
import { legal } from './de/legal.ts'
import { login } from './de/login.ts'
import { promotions, referrals } from './de/referrals.ts'
import { register } from './de/register.ts'
import { sandbox } from './de/sandbox.ts'
import { security } from './de/security.ts'
import { tokenPicker } from './de/token-picker.ts'
import { transaction } from './de/transaction.ts'
import { ui } from './de/ui.ts'
import { wallet } from './de/wallet.ts'
import type { Texts } from './texts.ts'

/** Every text of the interface in German, fetched as one file by who has chosen it. */
export const german: Texts = {
  messages: {
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
  },
  dashboard,
  buy,
  transaction,
  wallet,
  security,
  legal,
  sandbox,
}
