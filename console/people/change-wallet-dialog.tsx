import { type OperatorWallets, operatorWalletsContract } from '#contract/operator/people.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { useSelf } from '#console/session/self.ts'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'

interface ChangeWalletDialogProps {
  wallets: OperatorWallets
  onClose: () => void
}

/** Sends somebody's tokens to another wallet. A second person is needed for it, if there is one. */
export function ChangeWalletDialog({ wallets, onClose }: ChangeWalletDialogProps) {
  const { user_id: id, address: former } = wallets
  const { is_alone: isAlone } = useSelf()
  const { valueOf, field, refuse } = useFields({ address: '' })
  return (
    <ActDialog
      title={former === null ? 'Set a wallet for them' : 'Change the wallet'}
      confirm={isAlone ? 'Change it' : 'Ask for approval'}
      asksReason
      done="The wallet is changed."
      endpoint={operatorWalletsContract.changeUserWallet}
      input={(reason) => ({ params: { id }, body: { address: valueOf('address'), reason } })}
      onRefused={refuse}
      onClose={onClose}
    >
      <Banner tone="warning">
        Whoever controls the wallet gets the tokens. Make sure by other means than the mail it came
        in that it is really they who are asking.
      </Banner>
      {former !== null && (
        <p className="text-14">
          <span className="text-quiet">Their tokens go to </span>
          <AddressText value={former} />
        </p>
      )}
      <AddressField label="Address of the new wallet" required {...field('address')} />
      <p className="text-14 text-quiet">
        {isAlone
          ? 'You are the only operator, so it is done at once, and the log says that you did it alone. The buyer is mailed the address.'
          : 'A second person has to approve it. The buyer is mailed the address now, and again once it is changed.'}{' '}
        Lists that are already made keep their wallet.
      </p>
    </ActDialog>
  )
}
