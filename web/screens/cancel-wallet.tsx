import { CancelByLink } from '#web/features/wallet/cancel-by-link.tsx'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { FormPage } from './form-page.tsx'
import { useMailedToken } from './use-mailed-token.ts'

/** The page that the mails about a wallet change link to. */
export function CancelWalletScreen() {
  const { cancelPage } = useReceivingWalletTexts()
  const token = useMailedToken()
  return (
    <FormPage heading={cancelPage.heading}>
      <CancelByLink token={token} />
    </FormPage>
  )
}
