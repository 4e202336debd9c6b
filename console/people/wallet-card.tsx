import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorWallets, operatorWalletsContract } from '#contract/operator/people.ts'
import { ActDialog, useFields } from '#console/kit/act-dialog.tsx'
import { AddressField } from '#console/kit/address-field.tsx'
import { Loaded } from '#console/kit/loaded.tsx'
import { CopiedAddress, StateChip, Time } from '#console/kit/values.tsx'
import { useMay, useSelf } from '#console/session/self.ts'
import { isRefusal } from '#web/lib/api/call.ts'
import { callQuery } from '#web/lib/api/call-query.ts'
import { Button, TextLink } from '#web/ui/actions.tsx'
import { AddressText } from '#web/ui/address-text.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'

/**
 * Where somebody's tokens go, every wallet that they named, and a change that takes two operators.
 */
export function WalletCard({ userId }: { userId: string }) {
  const [isOpen, setOpen] = useState(false)
  const mayManage = useMay('delivery.manage')
  const query = useQuery({
    ...callQuery(
      ['operator', 'person', userId, 'wallets'],
      operatorWalletsContract.getUserWallets,
      { params: { id: userId } },
    ),
    retry: false,
  })
  const { data, error } = query
  const canChange = mayManage && data?.is_frozen === true
  return (
    <Card title="Receiving wallet">
      {isRefusal(error, 'NotFound') ? (
        <p className="text-quiet">This sale does not deliver tokens to wallets.</p>
      ) : (
        <Loaded query={query} what="The wallet" skeleton="h-32">
          {(wallets) => <Wallets wallets={wallets} />}
        </Loaded>
      )}
      {canChange && (
        <Button
          variant="secondary"
          className="self-start"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {data.address === null ? 'Set a wallet for them' : 'Change the wallet'}
        </Button>
      )}
      {isOpen && data !== undefined && (
        <ChangeWalletDialog wallets={data} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

type Wallet = OperatorWallets['wallets'][number]

function Wallets({ wallets: user }: { wallets: OperatorWallets }) {
  const { is_alone: isAlone } = useSelf()
  const { address, is_frozen: isFrozen, frozen_address: frozen, wallets } = user
  const place = wallets.findIndex(
    (each) => each.cancelled_date === null && each.address === address,
  )
  const current = wallets[place]
  return (
    <>
      {address === null || current === undefined ? (
        <p className="text-quiet">They have named none, so nothing can be delivered to them.</p>
      ) : (
        <div className="flex flex-col gap-1">
          <CopiedAddress label="Their tokens go to" value={address} />
          <Origin wallet={current} />
        </div>
      )}
      {user.asked_changes.map((asked) => (
        <Banner key={asked.approval_id} tone="warning">
          <span className="flex flex-col gap-1">
            <span>
              {asked.asked_by ?? 'Somebody with the server’s token'} asked for another wallet,{' '}
              <Time value={asked.asked_date} />:
            </span>
            <AddressText value={asked.address} />
            <TextLink to={`/approvals/${asked.approval_id}`} className="self-start">
              It waits for a second person
            </TextLink>
          </span>
        </Banner>
      ))}
      {isFrozen && address !== null && frozen !== address && (
        <Banner tone="info">
          The newest snapshot has {frozen === null ? 'no wallet' : 'another wallet'} of theirs. This
          one counts once the snapshot is corrected. <TextLink to="/delivery">Delivery</TextLink>
        </Banner>
      )}
      {user.is_shared && (
        <Banner tone="info">
          Another account has this wallet too. Distributions combine them into one row.
        </Banner>
      )}
      {!isFrozen && (
        <p className="text-14 text-quiet">
          Until the books are closed only they can change it. Afterwards{' '}
          {isAlone ? 'you can' : 'two operators can'}.
        </p>
      )}
      <Others wallets={wallets} place={place} />
    </>
  )
}

const proofTexts: Record<Wallet['proof'], string> = {
  signature: 'Signed by the wallet',
  contract_signature: 'Signed by the contract',
  none: 'Not signed',
}

function Origin({ wallet: { proof, set_date: set } }: { wallet: Wallet }) {
  return (
    <span className="text-14 text-quiet">
      {proofTexts[proof]}, <Time value={set} />
    </span>
  )
}

const states = {
  cancelled: ['neutral', 'Cancelled'],
  waiting: ['warning', 'Takes effect'],
  replaced: ['neutral', 'Replaced'],
} as const

/** All but the one in effect, which has this place among them. */
function Others({ wallets, place }: { wallets: readonly Wallet[]; place: number }) {
  if (wallets.length <= (place === -1 ? 0 : 1)) return null
  // Newest first, so those before the one in effect are still to come.
  const stateOf = ({ cancelled_date: cancelled }: Wallet, at: number) =>
    cancelled !== null ? 'cancelled' : at < place ? 'waiting' : 'replaced'
  return (
    <div className="flex flex-col">
      <h3 className="text-14 text-quiet">Other wallets that were named</h3>
      <List label="Other wallets that were named">
        {wallets.map((wallet, at) => {
          if (at === place) return null
          const state = stateOf(wallet, at)
          return (
            <ListRow
              key={wallet.set_date}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1"
            >
              <span className="flex min-w-0 flex-col">
                <AddressText value={wallet.address} />
                <Origin wallet={wallet} />
              </span>
              <span className="flex flex-wrap items-center gap-2 text-14 text-quiet">
                <StateChip look={states[state]} />
                {state === 'waiting' && <Time value={wallet.effective_date} as="age" />}
              </span>
            </ListRow>
          )
        })}
      </List>
    </div>
  )
}

interface ChangeWalletDialogProps {
  wallets: OperatorWallets
  onClose: () => void
}

/** Sends somebody's tokens to another wallet. A second person is needed for it, if there is one. */
function ChangeWalletDialog({ wallets, onClose }: ChangeWalletDialogProps) {
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
