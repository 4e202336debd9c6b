import { receivingWallet } from './en/receiving-wallet.ts'
import { useTexts } from './language.ts'

export const useReceivingWalletTexts = () => useTexts('receivingWallet', receivingWallet)
