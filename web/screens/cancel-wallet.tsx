import { CancelByLink } from '#web/features/wallet/cancel-by-link.tsx'
import { useReceivingWalletTexts } from '#web/messages/use-receiving-wallet-texts.ts'
import { FormPage } from './form-page.tsx'
import { useMailedToken } from './use-mailed-token.ts'

/** Where the mails about a change of the wallet lead to. */
export function CancelWalletScreen() {
  const { cancelPage } = useReceivingWalletTexts()
  const token = useMailedToken()
  return (
    <FormPage heading={cancelPage.heading}>
      <CancelByLink token={token} />
    </FormPage>
  )
}
