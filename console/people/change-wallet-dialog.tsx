import { useState } from 'react'
import { type OperatorWallets, operatorWalletsContract } from '#contract/operator/wallets.ts'
import { act } from '#console/kit/act.ts'
import { ActDialog } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { useSelf } from '#console/session/self.ts'
import { CallError } from '#web/lib/api/call.ts'
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
  const [address, setAddress] = useState('')
  const [fault, setFault] = useState<string>()

  async function change(reason: string) {
    try {
      return await act(operatorWalletsContract.changeUserWallet, {
        params: { id },
        body: { address: address.trim(), reason },
      })
    } catch (error) {
      if (error instanceof CallError) {
        setFault(error.errors.find(({ path }) => path === 'address')?.message)
      }
      throw error
    }
  }

  return (
    <ActDialog
      title={former === null ? 'Set a wallet for them' : 'Change the wallet'}
      confirm={isAlone ? 'Change it' : 'Ask for approval'}
      asksReason
      done="The wallet is changed."
      onConfirm={change}
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
      <AddressField
        label="Address of the new wallet"
        required
        value={address}
        error={fault}
        onChange={({ currentTarget }) => {
          setAddress(currentTarget.value)
          setFault(undefined)
        }}
      />
      <p className="text-14 text-quiet">
        {isAlone
          ? 'You are the only operator, so it is done at once, and the log says that you did it alone. The buyer is mailed the address.'
          : 'A second person has to approve it. The buyer is mailed the address now, and again once it is changed.'}{' '}
        Lists that are already made keep their wallet.
      </p>
    </ActDialog>
  )
}
