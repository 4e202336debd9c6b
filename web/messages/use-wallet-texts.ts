import { wallet } from './en/wallet.ts'
import { useLanguage } from './language.ts'

/** The texts of paying from a wallet of the browser. */
export function useWalletTexts(): typeof wallet {
  return useLanguage().texts?.wallet ?? wallet
}
