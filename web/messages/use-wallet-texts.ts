import { wallet } from './en/wallet.ts'
import { useTexts } from './language.ts'

export const useWalletTexts = () => useTexts('wallet', wallet)
