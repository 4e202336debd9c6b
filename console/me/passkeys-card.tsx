import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { accountContract, type OperatorAccount } from '#contract/operator/account.ts'
import { Time } from '#console/kit/values.tsx'
import { deviceWord, hasPasskeys, makePasskey } from '#console/session/passkey.ts'
import { call } from '#web/lib/api/call.ts'
import { IconButton, SmallButton } from '#web/ui/actions.tsx'
import { EmptyState } from '#web/ui/feedback/placeholders.tsx'
import { toast } from '#web/ui/feedback/toast-store.ts'
import { Card, List, ListRow } from '#web/ui/layout/card.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import { useKeepAccount } from './queries.ts'

type Passkey = OperatorAccount['passkeys'][number]
type Open = { what: 'add' } | { what: 'remove'; passkey: Passkey }

export function PasskeysCard({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <Card
      title="Passkeys"
      aside={
        hasPasskeys() && (
          <SmallButton onClick={() => setOpen({ what: 'add' })}>Add a passkey</SmallButton>
        )
      }
    >
      {passkeys.length === 0 ? (
        <EmptyState icon={<KeyRound size={24} />} title="No passkey yet">
          A passkey signs you in with your device alone, and nobody can trick you into giving it
          away.
        </EmptyState>
      ) : (
        <List label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRemove={() => setOpen({ what: 'remove', passkey })}
            />
          ))}
        </List>
      )}
      {open?.what === 'add' && <AddDialog onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog passkey={open.passkey} onClose={close} />}
    </Card>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, created_date: created, last_used_date: used, is_backed_up: isSynced } = passkey
  return (
    <ListRow className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-14 text-quiet">
          {isSynced ? 'Synced' : 'On one device'} · added <Time value={created} as="day" />
          {used !== null && (
            <>
              {' '}
              · used <Time value={used} as="age" />
            </>
          )}
        </p>
      </div>
      <IconButton
        label={`Remove ${name}`}
        icon={<Trash2 size="1.25em" />}
        onClick={onRemove}
        className="-mr-3"
      />
    </ListRow>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const keep = useKeepAccount()
  return (
    <ProofDialog
      title="Add a passkey"
      confirm="Continue"
      onClose={onClose}
      onConfirm={async (password) => {
        const options = await call(accountContract.getPasskeyCreation, { body: { password } })
        const passkey = await makePasskey(options)
        keep(await call(accountContract.addPasskey, { body: { passkey, name: deviceWord() } }))
        toast.success('The passkey is added.')
        onClose()
      }}
    >
      <p>Your browser then asks which device or password manager should keep it.</p>
    </ProofDialog>
  )
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const keep = useKeepAccount()
  return (
    <ProofDialog
      title={`Remove ${passkey.name}`}
      confirm="Remove"
      isDangerous
      onClose={onClose}
      onConfirm={async (password) => {
        const input = { params: { id: passkey.id }, body: { password } }
        keep(await call(accountContract.removePasskey, input))
        toast.success('The passkey is removed.')
        onClose()
      }}
    >
      <p>You can no longer sign in with it. Delete it on the device as well.</p>
    </ProofDialog>
  )
}
