import { useState } from 'react'
import { connectionsContract } from '#contract/operator/connections.ts'
import { keyPermissions, type Permission, permissionTexts } from '#domain/operators/permissions.ts'
import { DialogButtons } from '#console/kit/act-dialog.tsx'
import { useSelf } from '#console/session/self.ts'
import { call } from '#web/lib/api/call.ts'
import { FieldError, TextField } from '#web/ui/fields/text-field.tsx'
import { Segmented } from '#web/ui/fields/segmented.tsx'
import { Dialog } from '#web/ui/layout/dialog.tsx'
import { Choices } from './choices.tsx'
import { ShownOnce, useSubmit } from './secret-form.tsx'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const
type Lifetime = (typeof lifetimes)[number]['value']

const inWords = (name: Permission) => {
  const text = permissionTexts[name]
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Makes a new key, which is shown at the end. Offers only permissions that its maker has. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const self = useSelf()
  const [name, setName] = useState('')
  const [days, setDays] = useState<Lifetime>('90')
  const [permissions, setPermissions] = useState<readonly Permission[]>([])
  const [secret, setSecret] = useState<string | null>(null)
  const { faults, isBusy, onSubmit, formRef } = useSubmit(async () => {
    const body = { name, permissions: [...permissions], days: Number(days) }
    setSecret((await call(connectionsContract.createKey, { body })).secret)
  })
  const options = keyPermissions
    .filter((each) => self.permissions.includes(each))
    .map((each) => ({ name: each, text: inWords(each) }))
  return (
    <Dialog isOpen title="Make a key" size="wide" onClose={onClose}>
      {secret === null ? (
        <form ref={formRef} noValidate onSubmit={onSubmit} className="flex flex-col gap-2">
          <TextField
            label="What it is for"
            placeholder="Bookkeeping"
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faults.fields['name']}
          />
          <div className="flex flex-col gap-1 pb-4">
            <span aria-hidden="true" className="text-14 font-medium">
              Lasts for
            </span>
            <Segmented label="Lasts for" options={lifetimes} value={days} onChange={setDays} />
          </div>
          <Choices
            legend="It may"
            options={options}
            chosen={permissions}
            onChange={setPermissions}
            error={faults.fields['permissions']}
          />
          <p className="text-14 text-quiet">
            A key can never approve anything or let anybody in. It ends with your account, and can
            never do more than you can at the time.
          </p>
          <FieldError id="key-error" error={faults.form} keepsLine={false} />
          <div className="pt-2">
            <DialogButtons confirm="Make the key" isBusy={isBusy} onClose={onClose} />
          </div>
        </form>
      ) : (
        <ShownOnce label="Key" secret={secret} onClose={onClose}>
          Send it as a bearer token: <code className="text-14">Authorization: Bearer …</code>
        </ShownOnce>
      )}
    </Dialog>
  )
}
